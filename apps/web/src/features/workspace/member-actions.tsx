import type { Member } from '@nephos/contracts';
import { WORKSPACE_ROLE_NAMES, WORKSPACE_ROLES } from '@nephos/contracts/constants';
import { KeyRound, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';

const ServiceTokensDialog = lateDialog({ fields: 3, wide: true }, () =>
  import('./service-tokens-dialog.tsx').then(({ ServiceTokensDialog }) => ServiceTokensDialog),
);

export interface MemberActionsProps {
  member: Member;
  name: string;
}

/** What an owner or an admin can do with another member. */
export function MemberActions({ member, name }: MemberActionsProps) {
  const [showing, setShowing] = useState(false);
  return (
    <div className="flex items-center gap-1">
      <RoleChoice member={member} name={name} />
      {member.service && (
        <IconButton label={`Access tokens of ${name}`} onClick={() => setShowing(true)}>
          <KeyRound />
        </IconButton>
      )}
      <RemoveMember member={member} name={name} />
      {showing && (
        <ServiceTokensDialog userId={member.userId} name={name} onClose={() => setShowing(false)} />
      )}
    </div>
  );
}

function RoleChoice({ member: { userId, role, service }, name }: MemberActionsProps) {
  const utils = trpc.useUtils();
  const { id, role: ownRole } = useWorkspace();
  const mutation = trpc.workspaces.changeMember.useMutation();
  const change = useAction(mutation, {
    success: 'Role changed',
    failure: 'Failed to change the role',
    serverSpeaks: true,
    refresh: [utils.workspaces.members],
  });
  const options = WORKSPACE_ROLES.filter((one) => one !== 'owner' || (ownRole === 'owner' && !service));
  return (
    <Select
      aria-label={`Role of ${name}`}
      value={mutation.isPending ? mutation.variables.role : role}
      onValueChange={(role) => !change.pending && change.run({ id, userId, role })}
      options={options.map((value) => ({ value, label: WORKSPACE_ROLE_NAMES[value] }))}
      className="w-34!"
    />
  );
}

function RemoveMember({ member: { userId, service }, name }: MemberActionsProps) {
  const utils = trpc.useUtils();
  const { id } = useWorkspace();
  const remove = useAction(trpc.workspaces.removeMember.useMutation(), {
    success: `${name} removed`,
    failure: 'Failed to remove the member',
    serverSpeaks: true,
    refresh: [utils.workspaces.members],
  });
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      description={
        service
          ? 'Its access tokens stop working at once.'
          : 'They lose access at once, and their access tokens of this workspace stop working. What they made stays.'
      }
      label="Remove"
      action={remove}
      onConfirm={(close) => remove.run({ id, userId }, close)}
      trigger={(open) => (
        <IconButton label={`Remove ${name}`} onClick={open}>
          <UserMinus />
        </IconButton>
      )}
    />
  );
}
