import { useState } from 'react';
import { trpc } from '../lib/trpc.ts';
import { useAction } from '../lib/use-action.ts';
import { useLimit } from '../lib/use-limit.tsx';
import { useEnterWorkspace } from '../lib/use-workspace.ts';
import { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Input } from '../ui/input.tsx';

/** Makes a workspace and shows its settings, where others are invited. */
export function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const [name, setName] = useState('');
  const limit = useLimit('workspaces');
  const enter = useEnterWorkspace('/workspace');
  const create = useAction(trpc.workspaces.create.useMutation(), {
    failure: 'Failed to create workspace',
    serverSpeaks: true,
    refresh: [utils.workspaces.list],
    onDone: ({ id }) => enter.run({ id }),
  });
  return (
    <FormDialog
      title="New workspace"
      description="A place of its own for projects, databases and all else, to share with others."
      label="Create workspace"
      ready={name.trim() !== ''}
      limit={limit}
      action={{ ...create, pending: create.pending || enter.pending }}
      onSubmit={() => create.run({ name })}
      onClose={onClose}
    >
      <Field label="Name" required error={create.fields.name}>
        <Input
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder="Acme"
          autoComplete="off"
        />
      </Field>
    </FormDialog>
  );
}
