import { MAX_FILES_AT_ONCE } from '@nephos/contracts/constants';
import { Download, FolderInput, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { downloadFile } from './ask-for-file.ts';
import { downloadArchive } from './download-archive.ts';
import type { Selection } from './selection.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { countOf, type ManyFiles, type ManyWork, type NamedFile, useManyFiles } from './use-many-files.ts';

const MoveManyDialog = lateDialog({ fields: 1 }, () =>
  import('./move-many-dialog.tsx').then(({ MoveManyDialog }) => MoveManyDialog),
);

/** Files of one call, so that it is seen how far it is. */
const AT_ONCE = 25;

const idsOf = (files: readonly NamedFile[]) => files.map(({ id }) => id);

interface BarProps<File extends NamedFile> {
  selection: Selection<File>;
  /** Whether there are more than those that were fetched. */
  hasMore: boolean;
}

/** What can be done with the selected files of a folder or a search. */
export function FilesBar<File extends NamedFile>({ selection, hasMore }: BarProps<File>) {
  const { client } = trpc.useUtils();
  const need = useNeed('build');
  const [moving, setMoving] = useState(false);
  const [lastFolder, setLastFolder] = useState('');
  const many = useManyFiles(() => selection.setAll(false));
  const { selected } = selection;

  const move = (filePath: string, ifExists: 'refuse' | 'rename'): ManyWork => ({
    ...{ doing: 'Moving', did: `moved to ${filePath}`, atOnce: AT_ONCE },
    call: (files) => client.storage.moveMany.mutate({ ids: idsOf(files), filePath, ifExists }),
  });
  const remove: ManyWork = {
    ...{ doing: 'Deleting', did: 'deleted', atOnce: AT_ONCE },
    call: (files) => client.storage.removeMany.mutate({ ids: idsOf(files) }),
  };

  return (
    <SelectionBar
      {...{ selection, hasMore, many }}
      again={(failed) => {
        const taken = failed.filter(({ code }) => code === 'FILE_EXISTS').map(({ file }) => file);
        return (
          taken.length > 0 && (
            <Button size="sm" onClick={() => many.run(move(lastFolder, 'rename'), taken)}>
              Keep both
            </Button>
          )
        );
      }}
    >
      <Button size="sm" onClick={() => many.run(DOWNLOAD, selected)}>
        <Download aria-hidden="true" />
        Download
      </Button>
      <Button size="sm" {...need} onClick={() => setMoving(true)}>
        <FolderInput aria-hidden="true" />
        Move
      </Button>
      <Asked
        {...{ need, many }}
        title={`Delete ${countOf(selected.length)}?`}
        description="They stay in the trash for 7 days, or longer where versions are kept. Public URLs stop working."
        label="Delete"
        onConfirm={() => many.run(remove, selected)}
      />
      {moving && (
        <MoveManyDialog
          count={selected.length}
          onMove={(folder) => {
            setLastFolder(folder);
            setMoving(false);
            many.run(move(folder, 'refuse'), selected);
          }}
          onClose={() => setMoving(false)}
        />
      )}
    </SelectionBar>
  );
}

/** As one archive, or more where there are more files than one call takes: the browser may ask whether it is to save these. */
const DOWNLOAD: ManyWork = {
  ...{ doing: 'Downloading', did: 'sent to your downloads', atOnce: MAX_FILES_AT_ONCE },
  async call(files) {
    const [first, ...others] = files;
    if (first && others.length === 0) await downloadFile(first);
    else await downloadArchive({ ids: idsOf(files) });
    return { done: idsOf(files), failed: [] };
  },
};

/** What can be done with the selected files of the trash. */
export function TrashBar<File extends NamedFile>({ selection, hasMore }: BarProps<File>) {
  const { client } = trpc.useUtils();
  const need = useNeed('build');
  const many = useManyFiles(() => selection.setAll(false));
  const { selected } = selection;
  const restore: ManyWork = {
    ...{ doing: 'Restoring', did: 'restored', atOnce: AT_ONCE },
    call: (files) => client.storageTrash.restoreMany.mutate({ ids: idsOf(files) }),
  };
  const remove: ManyWork = {
    ...{ doing: 'Deleting', did: 'deleted for good', atOnce: AT_ONCE },
    call: (files) => client.storageTrash.removeMany.mutate({ ids: idsOf(files) }),
  };
  return (
    <SelectionBar {...{ selection, hasMore, many }}>
      <Button size="sm" {...need} onClick={() => many.run(restore, selected)}>
        <RotateCcw aria-hidden="true" />
        Restore
      </Button>
      <Asked
        {...{ need, many }}
        title={`Delete ${countOf(selected.length)} for good?`}
        description="They cannot be brought back."
        label="Delete for good"
        onConfirm={() => many.run(remove, selected)}
      />
    </SelectionBar>
  );
}

interface AskedProps {
  need: { reason?: string };
  many: ManyFiles;
  title: string;
  description: string;
  label: string;
  onConfirm: () => void;
}

/** A deletion, which is asked about. */
function Asked({ need, many, title, description, label, onConfirm }: AskedProps) {
  return (
    <ConfirmDialog
      {...{ title, description, label }}
      action={{ pending: many.progress !== undefined, refusal: undefined, reset: () => {} }}
      onConfirm={(close) => {
        close();
        onConfirm();
      }}
      trigger={(open) => (
        <Button size="sm" {...need} onClick={open}>
          <Trash2 aria-hidden="true" />
          {label}
        </Button>
      )}
    />
  );
}
