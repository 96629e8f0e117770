import type { AccessToken } from '@nephos/contracts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { RevokeTokenDialog, TokenRows } from '../../lib/token-rows.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ServiceTokenDialog, type ServiceTokenDialogProps } from './service-token-dialog.tsx';

/** The access tokens of a service account: what is used, each ended by itself, and a new one. */
export function ServiceTokensDialog({ userId, name, onClose }: ServiceTokenDialogProps) {
  const { id } = useWorkspace();
  const [making, setMaking] = useState(false);
  const list = trpc.workspaces.serviceTokens.useQuery({ id, userId }, { staleTime: 0 });
  if (making) return <ServiceTokenDialog userId={userId} name={name} onClose={() => setMaking(false)} />;
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={`Access tokens of ${name}`}
        description="Removing the account ends them all."
        wide
      >
        {list.data ? (
          <TokenRows
            tokens={list.data}
            revoke={(token) => <RevokeServiceToken userId={userId} token={token} />}
          />
        ) : list.error ? (
          <LoadFailure query={list} failure="The access tokens couldn't be loaded." />
        ) : (
          <Skeleton className="h-24 w-full" />
        )}
        <Button className="mt-4" onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" />
          New token
        </Button>
      </DialogContent>
    </Dialog>
  );
}

function RevokeServiceToken({ userId, token }: { userId: string; token: AccessToken }) {
  const utils = trpc.useUtils();
  const { id } = useWorkspace();
  const revoke = useAction(trpc.workspaces.revokeServiceToken.useMutation(), {
    success: 'Access token revoked',
    failure: 'Failed to revoke access token',
    serverSpeaks: true,
    refresh: [utils.workspaces.serviceTokens],
  });
  return (
    <RevokeTokenDialog
      name={token.name}
      action={revoke}
      onConfirm={(close) => revoke.run({ id, userId, tokenId: token.id }, close)}
    />
  );
}
