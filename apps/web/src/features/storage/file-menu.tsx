import type { StoredFile } from '@nephos/contracts';
import { Ellipsis, FolderInput, Globe, History, Link2, Lock, Trash2 } from 'lucide-react';
import { trpc } from '../../lib/trpc.ts';
import { type Action, useAction } from '../../lib/use-action.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { LateMenu, MenuItem, MenuSeparator } from '../../shell/late-menu.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useMenuDialog } from '../../ui/use-menu-dialog.ts';

const ShareDialog = lateDialog({ fields: 1 }, () =>
  import('./share-dialog.tsx').then(({ ShareDialog }) => ShareDialog),
);

const MoveDialog = lateDialog({ fields: 2 }, () =>
  import('./move-dialog.tsx').then(({ MoveDialog }) => MoveDialog),
);

const VersionsDialog = lateDialog({ fields: 2 }, () =>
  import('./versions-dialog.tsx').then(({ VersionsDialog }) => VersionsDialog),
);

/** What else can be done with a file. */
export function FileMenu({ file }: { file: StoredFile }) {
  const change = useVisibilityChange(file);
  const remove = useDeletion();
  const { open, choose, menuClosed, close } = useMenuDialog<'share' | 'move' | 'versions' | 'delete'>();

  return (
    <>
      <LateMenu
        onCloseAutoFocus={menuClosed}
        button={
          <IconButton label={`More actions for ${file.fileName}`} size="sm">
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem disabled={change.pending} onSelect={change.run}>
          {change.words}
        </MenuItem>
        <MenuItem onSelect={choose('share')}>
          <Link2 aria-hidden="true" />
          Share by link
        </MenuItem>
        <MenuItem onSelect={choose('move')}>
          <FolderInput aria-hidden="true" />
          Rename or move
        </MenuItem>
        <MenuItem onSelect={choose('versions')}>
          <History aria-hidden="true" />
          Versions
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={choose('delete')}>
          <Trash2 aria-hidden="true" />
          Delete
        </MenuItem>
      </LateMenu>
      {open === 'share' && <ShareDialog file={file} onClose={close} />}
      {open === 'move' && <MoveDialog file={file} onClose={close} />}
      {open === 'versions' && <VersionsDialog file={file} onClose={close} />}
      {open === 'delete' && <DeleteFile file={file} action={remove} onClose={close} />}
    </>
  );
}

/** Makes a private file public, and a public one private. */
function useVisibilityChange({ id, isPublic }: StoredFile) {
  const utils = trpc.useUtils();
  const { run, pending } = useAction(trpc.storage.update.useMutation(), {
    success: isPublic ? 'File made private' : 'File made public',
    failure: 'Failed to change the file',
    serverSpeaks: true,
    refresh: [utils.storage.list],
  });
  const Icon = isPublic ? Lock : Globe;
  const words = (
    <>
      <Icon aria-hidden="true" />
      {isPublic ? 'Make private' : 'Make public'}
    </>
  );
  return { run: () => run({ id, isPublic: !isPublic }), pending, words };
}

/** Call it where it outlives the dialog: a deletion goes on when its dialog is left, and the next one has to show it. */
function useDeletion(): Action<{ id: string }> {
  const utils = trpc.useUtils();
  return useAction(trpc.storage.remove.useMutation(), {
    success: 'File deleted',
    failure: 'Failed to delete file',
    serverSpeaks: true,
    refresh: [utils.storage.list, utils.storage.subfolders, utils.storageTrash.list],
  });
}

interface DeleteFileProps {
  file: StoredFile;
  action: Action<{ id: string }>;
  onClose: () => void;
}

function DeleteFile({ file: { id, fileName, isPublic }, action, onClose }: DeleteFileProps) {
  return (
    <ConfirmDialog
      title={`Delete ${fileName}?`}
      description={`It stays in the trash for 7 days, or longer where versions are kept.${isPublic ? ' The public URL stops working.' : ''}`}
      label="Delete file"
      action={action}
      onConfirm={(close) => action.run({ id }, close)}
      onClose={onClose}
    />
  );
}
