import { INVITATION_DAYS } from '@nephos/contracts/constants';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { InvitationRow, invitedOf } from '../../lib/invitation-row.tsx';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { FRESH } from './fresh.ts';

const InviteDialog = lateDialog({ fields: 2 }, () =>
  import('./invite-dialog.tsx').then(({ InviteDialog }) => InviteDialog),
);

/** Letting people in: the links that were made and not used yet, and the way to another one. */
export function Invitations() {
  const list = trpc.admin.invitations.useQuery(undefined, FRESH);
  const [inviting, setInviting] = useState(false);
  return (
    <Card className="mb-6">
      <CardHeader
        title="Invitations"
        description={`Each link creates one account and expires after ${INVITATION_DAYS} days.`}
        aside={
          <Button onClick={() => setInviting(true)}>
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
      {list.data && list.data.length > 0 && (
        <ul aria-label="Open invitations" className="mt-4 divide-y divide-line border-line border-t">
          {list.data.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation}>
              <RevokeInvitation id={invitation.id} invited={invitedOf(invitation)} />
            </InvitationRow>
          ))}
        </ul>
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Card>
  );
}

interface RevokeInvitationProps {
  id: string;
  /** Whom it is for, in words. */
  invited: string;
}

function RevokeInvitation({ id, invited }: RevokeInvitationProps) {
  const utils = trpc.useUtils();
  const revoke = useAction(trpc.admin.revokeInvitation.useMutation(), {
    success: 'Invitation revoked',
    failure: 'Failed to revoke invitation',
    serverSpeaks: true,
    refresh: [utils.admin.invitations],
  });
  return (
    <DeleteDialog
      title="Revoke invitation?"
      description="The link stops working. This can't be undone."
      name={invited}
      label="Revoke invitation"
      action={revoke}
      onConfirm={(close) => revoke.run({ id }, close)}
      trigger={(open) => (
        <Button size="sm" aria-label={`Revoke the invitation: ${invited}`} onClick={open}>
          Revoke
        </Button>
      )}
    />
  );
}
