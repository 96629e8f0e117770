import type { StoredFile } from '@nephos/contracts';
import { Ellipsis, Globe, Lock, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../ui/dropdown-menu.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { DeleteFile } from './delete-file.tsx';

/** What else can be done with a file. */
export function FileMenu({ file }: { file: StoredFile }) {
  const { id, fileName, isPublic } = file;
  const [deleting, setDeleting] = useState(false);
  const deleteChosen = useRef(false);
  const utils = trpc.useUtils();
  const change = useAction(trpc.storage.update.useMutation(), {
    success: isPublic ? 'File made private' : 'File made public',
    failure: 'Failed to change the file',
    serverSpeaks: true,
    refresh: [utils.storage.list],
  });
  const Icon = isPublic ? Lock : Globe;

  /** Once the menu has handed the focus back to its button, so that the dialog hands it back there too. */
  function menuClosed() {
    if (deleteChosen.current) setDeleting(true);
    deleteChosen.current = false;
  }

  function chooseDelete() {
    deleteChosen.current = true;
  }

  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label={`More actions for ${fileName}`} size="sm">
            <Ellipsis />
          </IconButton>
        </DropdownMenuTrigger>
        <DropdownMenuContent onCloseAutoFocus={menuClosed}>
          <DropdownMenuItem
            disabled={change.pending}
            onSelect={() => change.run({ id, isPublic: !isPublic })}
          >
            <Icon aria-hidden="true" />
            {isPublic ? 'Make private' : 'Make public'}
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem danger onSelect={chooseDelete}>
            <Trash2 aria-hidden="true" />
            Delete
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <DeleteFile file={file} open={deleting} onOpenChange={setDeleting} />
    </>
  );
}
