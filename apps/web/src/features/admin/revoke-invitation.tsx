import type { Invitation } from '@nephos/contracts';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { invitedOf } from './invited.ts';

export interface RevokeInvitationProps {
  invitation: Invitation;
  onClose: () => void;
}

export function RevokeInvitation({ invitation, onClose }: RevokeInvitationProps) {
  const utils = trpc.useUtils();
  const revoke = useAction(trpc.admin.revokeInvitation.useMutation(), {
    success: 'Invitation revoked',
    failure: 'Failed to revoke the invitation',
    serverSpeaks: true,
    refresh: [utils.admin.invitations],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Revoke Invitation?"
      description="Its link makes no account any more. It cannot be taken back."
      name={invitedOf(invitation)}
      confirmLabel="Revoke invitation"
      onConfirm={() => revoke.run({ id: invitation.id })}
      pending={revoke.pending}
      refusal={revoke.refusal}
    />
  );
}
