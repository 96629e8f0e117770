import { INVITATION_DAYS, WORKSPACE_ROLE_NAMES } from '@nephos/contracts/constants';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { InvitationRow, invitedOf } from '../../lib/invitation-row.tsx';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

const InviteDialog = lateDialog({ fields: 2 }, () =>
  import('./invite-dialog.tsx').then(({ InviteDialog }) => InviteDialog),
);

/** Links to join by that were made and not used yet, and the way to another one. */
export function InvitationList() {
  const { id } = useWorkspace();
  const list = trpc.workspaces.invitations.useQuery({ id });
  const [inviting, setInviting] = useState(false);
  return (
    <Card>
      <CardHeader
        title="Invitations"
        description={`Each link lets one person join and expires after ${INVITATION_DAYS} days.`}
        aside={
          <Button variant="primary" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden="true" />
            Invite
          </Button>
        }
      />
      {list.error && (
        <div className="mt-4">
          <LoadFailure query={list} failure="Failed to load invitations" />
        </div>
      )}
      {list.data?.length === 0 && (
        <p className="mt-4 border-line border-t pt-4 text-muted">No open invitations</p>
      )}
      {list.data && list.data.length > 0 && (
        <ul aria-label="Open invitations" className="mt-4 divide-y divide-line border-line border-t">
          {list.data.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              badge={<Badge>{WORKSPACE_ROLE_NAMES[invitation.role]}</Badge>}
            >
              <RevokeInvitation invitationId={invitation.id} invited={invitedOf(invitation)} />
            </InvitationRow>
          ))}
        </ul>
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Card>
  );
}

interface RevokeInvitationProps {
  invitationId: string;
  /** Whom it is for, in words. */
  invited: string;
}

function RevokeInvitation({ invitationId, invited }: RevokeInvitationProps) {
  const utils = trpc.useUtils();
  const { id } = useWorkspace();
  const revoke = useAction(trpc.workspaces.revokeInvitation.useMutation(), {
    success: 'Invitation revoked',
    failure: 'Failed to revoke invitation',
    serverSpeaks: true,
    refresh: [utils.workspaces.invitations],
  });
  return (
    <ConfirmDialog
      title="Revoke invitation?"
      description="The link stops working. You can make another one."
      label="Revoke invitation"
      action={revoke}
      onConfirm={(close) => revoke.run({ id, invitationId }, close)}
      trigger={(open) => (
        <Button size="sm" aria-label={`Revoke the invitation: ${invited}`} onClick={open}>
          Revoke
        </Button>
      )}
    />
  );
}
