import type { Invitation } from '@nephos/contracts';
import { INVITATION_DAYS } from '@nephos/contracts/constants';
import { Link2, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { formatInstant } from '../../lib/format.ts';
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
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Card>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { email, invitedBy, expiresAt } = invitation;
  const invited = email ?? 'Anyone with the link';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 last:pb-0">
      <Link2 aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 grow basis-40">
        <p className="break-all font-medium">{invited}</p>
        <p className="mt-0.5 break-words text-faint text-sm">
          {invitedBy && `invited by ${invitedBy} · `}
          <time dateTime={expiresAt}>expires {formatInstant(expiresAt)}</time>
        </p>
      </div>
      <RevokeInvitation id={invitation.id} invited={invited} />
    </li>
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
