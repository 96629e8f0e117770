import type { StoredFile } from '@nephos/contracts';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

export interface DeleteFileProps {
  file: StoredFile;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks for the file's name, then deletes it. */
export function DeleteFile({ file: { id, fileName, isPublic }, open, onOpenChange }: DeleteFileProps) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.storage.remove.useMutation(), {
    success: 'File deleted',
    failure: 'Failed to delete file',
    serverSpeaks: true,
    refresh: [utils.storage.list],
    onDone: () => onOpenChange(false),
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete File?"
      description={`It cannot be recovered.${isPublic ? ' Its public URL stops working at once.' : ''}`}
      name={fileName}
      confirmLabel="Delete file"
      onConfirm={() => remove.run({ id })}
      pending={remove.pending}
      refusal={remove.refusal}
    />
  );
}
