import { FilePath } from '@nephos/contracts';
import { DEFAULT_FILE_PATH } from '@nephos/contracts/constants';
import { useState } from 'react';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FolderField, folderOf } from './folder-field.tsx';
import { useStoragePlace } from './storage-search.ts';

interface MoveManyDialogProps {
  /** Files that are selected. */
  count: number;
  onMove: (folder: string) => void;
  onClose: () => void;
}

/** Asks where several files go. */
export function MoveManyDialog({ count, onMove, onClose }: MoveManyDialogProps) {
  const { folder } = useStoragePlace();
  const [typed, setTyped] = useState(folder ?? DEFAULT_FILE_PATH);
  const [error, setError] = useState<string>();
  return (
    <FormDialog
      title={count === 1 ? 'Move 1 file' : `Move ${count} files`}
      description="A file whose name is taken there stays where it is, and you are told."
      label="Move"
      ready={typed.trim() !== '' && folderOf(typed) !== folder}
      action={{ pending: false, refusal: undefined }}
      onSubmit={() => {
        const { data, error: wrong } = FilePath.safeParse(folderOf(typed));
        if (data === undefined) setError(wrong?.issues[0]?.message);
        else onMove(data);
      }}
      onClose={onClose}
    >
      <FolderField value={typed} onChange={setTyped} error={error} />
    </FormDialog>
  );
}
