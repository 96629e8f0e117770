import type { Invitation } from '@nephos/contracts';
import { INVITATION_DAYS } from '@nephos/contracts/constants';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { FRESH } from './fresh.ts';
import { InvitationRow } from './invitation-row.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { RevokeInvitation } from './revoke-invitation.tsx';

/** Letting people in: the links that were made and not used yet, and the way to another one. */
export function Invitations() {
  const list = trpc.admin.invitations.useQuery(undefined, FRESH);
  const [inviting, setInviting] = useState(false);
  const [leaving, setLeaving] = useState<Invitation>();
  return (
    <Card className="mb-6">
      <CardHeader
        title="Invitations"
        description={`A link makes one account, within ${INVITATION_DAYS} days, also while sign-ups are closed.`}
        aside={
          <Button onClick={() => setInviting(true)}>
            <UserPlus aria-hidden="true" />
            Invite
          </Button>
        }
      />
      {list.error && (
        <div className="mt-4">
          <LoadFailure query={list} failure="Failed to load the invitations" />
        </div>
      )}
      {list.data && list.data.length > 0 && (
        <ul aria-label="Open invitations" className="mt-4 divide-y divide-line border-line border-t">
          {list.data.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              onRevoke={() => setLeaving(invitation)}
            />
          ))}
        </ul>
      )}
      <InviteDialog open={inviting} onOpenChange={setInviting} />
      {leaving && <RevokeInvitation invitation={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  );
}
