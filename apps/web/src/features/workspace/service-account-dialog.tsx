import { WORKSPACE_ROLE_NAMES, WORKSPACE_ROLES } from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import type { WorkspaceRole } from '../../lib/workspace-roles.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { ROLE_HINTS } from './role-words.ts';

type ServiceRole = Exclude<WorkspaceRole, 'owner'>;

const ROLES = WORKSPACE_ROLES.filter((role): role is ServiceRole => role !== 'owner');

const DEFAULTS: { name: string; role: ServiceRole } = { name: '', role: 'developer' };

export function ServiceAccountDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const { id } = useWorkspace();
  const { values, set } = useDraft(DEFAULTS);
  const create = useAction(trpc.workspaces.createServiceAccount.useMutation(), {
    success: 'Service account created',
    failure: 'Failed to create service account',
    serverSpeaks: true,
    refresh: [utils.workspaces.members],
    leave: onClose,
  });
  return (
    <FormDialog
      title="New service account"
      description="A member for a program. It can't log in: make access tokens for it in the list of members."
      label="Create service account"
      ready={values.name.trim() !== ''}
      action={create}
      onSubmit={() => create.run({ id, ...values })}
      onClose={onClose}
    >
      <Field label="Name" required error={create.fields.name}>
        <Input
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="ci"
          autoComplete="off"
        />
      </Field>
      <Field label="Role" error={create.fields.role} hint={ROLE_HINTS[values.role]}>
        <Select
          value={values.role}
          onValueChange={(role) => set('role', role)}
          options={ROLES.map((value) => ({ value, label: WORKSPACE_ROLE_NAMES[value] }))}
        />
      </Field>
    </FormDialog>
  );
}
