import type { IfExists, StoredFile } from '@nephos/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallError } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { FolderField, folderOf } from './folder-field.tsx';
import { PathTaken, unlessTaken } from './path-taken.tsx';

type Place = Pick<StoredFile, 'fileName' | 'filePath'>;

interface MoveDialogProps {
  file: StoredFile;
  onClose: () => void;
}

/** Changes a file's name and folder. */
export function MoveDialog({ file: { id, fileName, filePath }, onClose }: MoveDialogProps) {
  const { values, set } = useDraft<Place>({ fileName, filePath });
  const target = { fileName: values.fileName.trim(), filePath: folderOf(values.filePath) };
  const move = useMove(id, onClose);
  const isTaken = isSame(move.taken, target);

  return (
    <FormDialog
      title="Rename or move"
      description={
        <span className="break-words">
          {filePath}
          {fileName}
        </span>
      }
      label="Save"
      ready={target.fileName !== '' && !isTaken && !isSame({ fileName, filePath }, target)}
      action={move}
      onSubmit={() => move.run({ ...target, ifExists: 'refuse' })}
      onClose={onClose}
    >
      <Field label="File name" required error={move.fields.fileName}>
        <PlainInput value={values.fileName} onChange={(event) => set('fileName', event.target.value)} />
      </Field>
      <FolderField
        value={values.filePath}
        onChange={(path) => set('filePath', path)}
        error={move.fields.filePath}
      />
      {isTaken && !move.pending && (
        <PathTaken
          {...target}
          replacing="Replacing deletes the existing file."
          onChoose={(ifExists) => move.run({ ...target, ifExists })}
        />
      )}
    </FormDialog>
  );
}

function isSame(one: Place | undefined, other: Place): boolean {
  return one?.fileName === other.fileName && one.filePath === other.filePath;
}

type Move = Place & { ifExists: IfExists };

/** Moves a file; `taken` is where something was in its way. */
function useMove(id: string, onMoved: () => void) {
  const { client, storage } = trpc.useUtils();
  const [taken, setTaken] = useState<Place>();
  const mutation = useMutation<StoredFile | null, CallError, Move>({
    mutationFn: async (move) => {
      const moved = await unlessTaken(client.storage.update.mutate({ id, ...move }));
      if (!moved) setTaken(move);
      return moved;
    },
  });
  const action = useAction(mutation, {
    failure: 'Failed to move file',
    refresh: [storage.list, storage.subfolders],
    leave: (moved) => {
      if (moved) onMoved();
    },
  });
  return { ...action, taken };
}
