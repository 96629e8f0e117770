import { Download, FolderInput, RotateCcw, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/progress.tsx';
import { downloadFile } from './ask-for-file.ts';
import type { Selection } from './selection.tsx';
import { type ManyFiles, type ManyWork, type NamedFile, useManyFiles } from './use-many-files.ts';

const MoveManyDialog = lateDialog({ fields: 1 }, () =>
  import('./move-many-dialog.tsx').then(({ MoveManyDialog }) => MoveManyDialog),
);

/** Files of one call, so that it is seen how far it is. */
const AT_ONCE = 25;

const idsOf = (files: readonly NamedFile[]) => files.map(({ id }) => id);
const countOf = (count: number) => (count === 1 ? '1 file' : `${count} files`);

/** What can be done with the selected files of a folder or a search. */
export function FilesBar<File extends NamedFile>({ selection }: { selection: Selection<File> }) {
  const { client } = trpc.useUtils();
  const need = useNeed('build');
  const [moving, setMoving] = useState(false);
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
  const [lastFolder, setLastFolder] = useState('');

  return (
    <SelectionBar
      {...{ selection, many }}
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

/** One by one, as the browser saves them: it may ask once whether it is to. */
const DOWNLOAD: ManyWork = {
  ...{ doing: 'Downloading', did: 'handed to the browser', atOnce: 1 },
  async call(files) {
    for (const file of files) await downloadFile(file);
    return { done: idsOf(files), failed: [] };
  },
};

/** What can be done with the selected files of the trash. */
export function TrashBar<File extends NamedFile>({ selection }: { selection: Selection<File> }) {
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
    <SelectionBar {...{ selection, many }}>
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

interface SelectionBarProps<File extends NamedFile> {
  selection: Selection<File>;
  many: ManyFiles;
  /** A way to try what failed once more, but otherwise. */
  again?: (failed: NonNullable<ManyFiles['report']>['failed']) => ReactNode;
  /** What can be done. */
  children: ReactNode;
}

/** How many are selected, what can be done with them, how far that is, and what of it failed. */
function SelectionBar<File extends NamedFile>({
  selection: { rows, selected, setAll },
  many: { progress, report, run, dismiss },
  again,
  children,
}: SelectionBarProps<File>) {
  const all = useRef<HTMLInputElement>(null);
  const isSome = selected.length > 0 && selected.length < rows.length;
  const isBusy = progress !== undefined;
  useEffect(() => {
    if (all.current) all.current.indeterminate = isSome;
  }, [isSome]);
  // The button that began it is gone with what was selected, and whoever works by keyboard would begin at the top.
  useEffect(() => {
    if (!isBusy && document.activeElement === document.body) all.current?.focus();
  }, [isBusy]);
  return (
    <section aria-label="Selection" className="mb-4 flex flex-col gap-3">
      <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
        <label className="flex min-h-8 items-center gap-2 text-sm">
          <input
            ref={all}
            type="checkbox"
            className="size-4 accent-accent"
            checked={selected.length === rows.length && rows.length > 0}
            disabled={rows.length === 0}
            onChange={({ target: { checked } }) => setAll(checked)}
          />
          <span role="status" className="tabular-nums">
            {selected.length === 0 ? 'Select all' : `${selected.length} selected`}
          </span>
        </label>
        {selected.length > 0 && !isBusy && <div className="flex flex-wrap gap-2">{children}</div>}
        {isBusy && (
          <div className="min-w-40 grow">
            <p role="status" className="mb-1 text-muted text-sm tabular-nums">
              {progress.doing} {progress.done + 1} of {progress.total}…
            </p>
            <Progress label={progress.doing} value={progress.done} max={progress.total} />
          </div>
        )}
      </div>
      {report && (
        <div role="alert">
          <Notice
            tone="warning"
            title={`${countOf(report.failed.length)} could not be ${report.work.did}. ${report.done === 0 ? 'Nothing was done' : `${countOf(report.done)} ${report.done === 1 ? 'was' : 'were'}`}.`}
            action={
              <>
                {again?.(report.failed)}
                <Button
                  size="sm"
                  onClick={() =>
                    run(
                      report.work,
                      report.failed.map(({ file }) => file),
                    )
                  }
                >
                  Try again
                </Button>
                <Button size="sm" variant="ghost" onClick={dismiss}>
                  Dismiss
                </Button>
              </>
            }
          >
            <ul className="max-h-40 overflow-y-auto">
              {report.failed.map(({ file, message }) => (
                <li key={file.id} className="break-words">
                  <span className="font-medium text-fg">{file.fileName}</span>: {message}
                </li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
    </section>
  );
}
