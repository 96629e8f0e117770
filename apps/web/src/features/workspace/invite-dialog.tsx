import type { CreatedWorkspaceInvitation } from '@nephos/contracts';
import { WORKSPACE_ROLE_NAMES, WORKSPACE_ROLES } from '@nephos/contracts/constants';
import { useState } from 'react';
import { formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import type { WorkspaceRole } from '../../lib/workspace-roles.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
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
      result={created && <InvitationLink created={created} onDone={onClose} />}
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

interface InvitationLinkProps {
  created: CreatedWorkspaceInvitation;
  onDone: () => void;
}

/** The one time that a link is shown. */
function InvitationLink({ created: { email, role, link, expiresAt, mailed }, onDone }: InvitationLinkProps) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title={mailed ? `Mailed to ${email}` : 'Copy the link now'}>
        You won't see it again. {email ?? 'One person'} can join with it as {WORKSPACE_ROLE_NAMES[role]} until{' '}
        {formatInstant(expiresAt)}.
      </Notice>
      <CodeBlock code={link} label="invitation link" wrap />
      <DialogFooter>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogFooter>
    </div>
  );
}
