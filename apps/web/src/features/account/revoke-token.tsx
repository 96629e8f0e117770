import type { AccessToken } from '@nephos/contracts';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

export interface RevokeTokenProps {
  token: AccessToken;
  onClose: () => void;
}

export function RevokeToken({ token: { id, name }, onClose }: RevokeTokenProps) {
  const utils = trpc.useUtils();
  const revoke = useAction(trpc.auth.revokeToken.useMutation(), {
    success: 'Access token revoked',
    failure: 'Failed to revoke the access token',
    serverSpeaks: true,
    refresh: [utils.auth.tokens],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Revoke Access Token?"
      description="Programs that sign in with it are refused at once. It cannot be taken back."
      name={name}
      confirmLabel="Revoke token"
      onConfirm={() => revoke.run({ id })}
      pending={revoke.pending}
      refusal={revoke.refusal}
    />
  );
}
