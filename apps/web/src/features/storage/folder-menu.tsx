import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Ellipsis, FolderInput, Trash2 } from 'lucide-react';
import type { CallError } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { LateMenu, MenuItem } from '../../shell/late-menu.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useMenuDialog } from '../../ui/use-menu-dialog.ts';

const MoveFolderDialog = lateDialog({ fields: 1 }, () =>
  import('./move-folder-dialog.tsx').then(({ MoveFolderDialog }) => MoveFolderDialog),
);

export interface OfFolder {
  /** Absent, the console's. */
  bucket: string | undefined;
  /** Begins and ends with a slash. */
  folder: string;
}

/** What can be done with a folder. */
export function FolderMenu({ bucket, folder }: OfFolder) {
  const { open, choose, menuClosed, close } = useMenuDialog<'move' | 'delete'>();
  const download = useAction(
    useMutation<void, CallError>({
      mutationFn: async () => (await import('./download-archive.ts')).downloadArchive({ bucket, folder }),
    }),
    { failure: 'Failed to download the folder', serverSpeaks: true },
  );
  return (
    <>
      <LateMenu
        onCloseAutoFocus={menuClosed}
        button={
          <IconButton label={`More actions for ${nameOf(folder)}`} size="sm">
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem disabled={download.pending} onSelect={() => download.run()}>
          <Download aria-hidden="true" />
          Download as .zip
        </MenuItem>
        <MenuItem onSelect={choose('move')}>
          <FolderInput aria-hidden="true" />
          Rename or move folder
        </MenuItem>
        <MenuItem danger onSelect={choose('delete')}>
          <Trash2 aria-hidden="true" />
          Delete folder
        </MenuItem>
      </LateMenu>
      {open === 'move' && <MoveFolderDialog {...{ bucket, folder }} onClose={close} />}
      {open === 'delete' && <DeleteFolder {...{ bucket, folder }} onClose={close} />}
    </>
  );
}

function nameOf(folder: string): string {
  return folder.split('/').at(-2) ?? '';
}

/** The folder that another one lies in; undefined at the top. */
function parentOf(folder: string): string | undefined {
  const parent = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return parent === '/' ? undefined : parent;
}

function DeleteFolder({ bucket, folder, onClose }: OfFolder & { onClose: () => void }) {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  const remove = useAction(trpc.storage.removeFolder.useMutation(), {
    success: 'Folder deleted',
    failure: 'Failed to delete the folder',
    serverSpeaks: true,
    refresh: [utils.storage.list, utils.storage.subfolders, utils.storageTrash.list],
    leave: () => void navigate({ to: '/storage', search: { bucket, folder: parentOf(folder) } }),
  });
  return (
    <DeleteDialog
      title="Delete folder?"
      description="All files in it and below it go to the trash, where they stay for 7 days."
      name={nameOf(folder)}
      label="Delete folder"
      action={remove}
      onConfirm={(close) => remove.run({ folder, ...(bucket !== undefined && { bucketId: bucket }) }, close)}
      onClose={onClose}
    />
  );
}
