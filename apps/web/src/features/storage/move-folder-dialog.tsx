import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { folderOf } from './folder-field.tsx';
import type { OfFolder } from './folder-menu.tsx';

/** Gives a folder another name or place, with all that is in it. */
export function MoveFolderDialog({ bucket, folder, onClose }: OfFolder & { onClose: () => void }) {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  const [path, setPath] = useState(folder);
  const to = folderOf(path);
  const move = useAction(trpc.storage.moveFolder.useMutation(), {
    success: 'Folder moved',
    failure: 'Failed to move the folder',
    serverSpeaks: true,
    refresh: [utils.storage.list, utils.storage.subfolders],
    leave() {
      onClose();
      void navigate({ to: '/storage', search: { bucket, folder: to } });
    },
  });
  return (
    <FormDialog
      title="Rename or move folder"
      description={<span className="break-words">{folder}</span>}
      label="Save"
      ready={to !== '/' && to !== folder}
      action={move}
      onSubmit={() => move.run({ folder, to, ...(bucket !== undefined && { bucketId: bucket }) })}
      onClose={onClose}
    >
      <Field
        label="Path"
        required
        error={move.fields.to}
        hint="All files in it move along. Their public URLs stay."
      >
        <PlainInput value={path} onChange={(event) => setPath(event.target.value)} />
      </Field>
    </FormDialog>
  );
}
