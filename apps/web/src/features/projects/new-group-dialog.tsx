import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';

/** Makes a group and opens it. */
export function NewGroupDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const create = useAction(trpc.variableGroups.create.useMutation(), {
    success: 'Group created',
    failure: 'Failed to create the group',
    refresh: [utils.variableGroups.list],
    leave: ({ id }) => {
      onClose();
      // In a turn of its own: the history takes two changes of one turn for one, and going back would open the dialog.
      setTimeout(() => void navigate({ to: '/variable-groups/$groupId', params: { groupId: id } }));
    },
  });
  return (
    <FormDialog
      title="New Variable Group"
      description="You add its variables next, then link it to projects."
      label="Create"
      ready={name.trim() !== ''}
      action={create}
      onSubmit={() => create.run({ name })}
      onClose={onClose}
    >
      <GroupNameField name={name} onChange={setName} error={create.fields.name} />
    </FormDialog>
  );
}

export interface GroupNameFieldProps {
  name: string;
  onChange: (name: string) => void;
  error: string | undefined;
}

export function GroupNameField({ name, onChange, error }: GroupNameFieldProps) {
  return (
    <Field label="Name" required error={error}>
      <Input
        value={name}
        onChange={(event) => onChange(event.target.value)}
        placeholder="Mail settings"
        autoComplete="off"
      />
    </Field>
  );
}
