import type { CreatedWorkspaceInvitation } from '@nephos/contracts';
import { WORKSPACE_ROLE_NAMES, WORKSPACE_ROLES } from '@nephos/contracts/constants';
import { useState } from 'react';
import { formatInstant } from '../../lib/format.ts';
import { InvitationLink } from '../../lib/invitation-link.tsx';
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

const DEFAULTS: { email: string; role: WorkspaceRole } = { email: '', role: 'developer' };

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const { id, name, role: ownRole } = useWorkspace();
  const { values, set } = useDraft(DEFAULTS);
  const [created, setCreated] = useState<CreatedWorkspaceInvitation>();
  const invite = useAction(trpc.workspaces.invite.useMutation(), {
    failure: 'Failed to create invitation',
    serverSpeaks: true,
    refresh: [utils.workspaces.invitations],
    onDone: setCreated,
  });
  // Only owners make owners.
  const roles = WORKSPACE_ROLES.filter((role) => role !== 'owner' || ownRole === 'owner');
  return (
    <FormDialog
      title={`Invite to ${name}`}
      description="Whoever follows the link joins this workspace, with all that is in it. Where this server sends mail, it goes to the address as well."
      label="Create link"
      ready
      action={invite}
      onSubmit={() => invite.run({ id, role: values.role, email: values.email.trim() })}
      onClose={onClose}
      result={
        created && (
          <InvitationLink created={created} onDone={onClose}>
            {created.email ?? 'One person'} can join with it as {WORKSPACE_ROLE_NAMES[created.role]} until{' '}
            {formatInstant(created.expiresAt)}.
          </InvitationLink>
        )
      }
    >
      <Field
        label="Email (optional)"
        error={invite.fields.email}
        hint="If set, only the account with this address can join."
      >
        <Input
          type="email"
          value={values.email}
          onChange={(event) => set('email', event.target.value)}
          placeholder="grace@example.com"
          autoComplete="off"
        />
      </Field>
      <Field label="Role" error={invite.fields.role} hint={ROLE_HINTS[values.role]}>
        <Select
          value={values.role}
          onValueChange={(role) => set('role', role)}
          options={roles.map((value) => ({ value, label: WORKSPACE_ROLE_NAMES[value] }))}
        />
      </Field>
    </FormDialog>
  );
}
