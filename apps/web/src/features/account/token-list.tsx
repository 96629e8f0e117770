import type { AccessToken } from '@nephos/contracts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { RevokeTokenDialog, TokenRows } from '../../lib/token-rows.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';

const NewTokenDialog = lateDialog({ fields: 4 }, () =>
  import('./new-token-dialog.tsx').then(({ NewTokenDialog }) => NewTokenDialog),
);

export function TokenList() {
  const [tokens] = trpc.auth.tokens.useSuspenseQuery();
  const workspaces = trpc.workspaces.list.useQuery().data ?? [];
  // Who has one workspace alone knows which it is.
  const names = new Map(workspaces.length > 1 ? workspaces.map(({ id, name }) => [id, name]) : []);
  const [creating, setCreating] = useState(false);
  return (
    <Card id="tokens">
      <CardHeader
        title="Access tokens"
        description="Use one as the password in docker and skopeo, or as a bearer token with the API."
      />
      <div className="mt-4 border-line border-t">
        <TokenRows
          tokens={tokens}
          placeOf={({ workspaceId }) => names.get(workspaceId)}
          revoke={(token) => <RevokeToken token={token} />}
        />
      </div>
      <Button className="mt-4" onClick={() => setCreating(true)}>
        <Plus aria-hidden="true" />
        New token
      </Button>
      {creating && <NewTokenDialog onClose={() => setCreating(false)} />}
    </Card>
  );
}

function RevokeToken({ token }: { token: AccessToken }) {
  const utils = trpc.useUtils();
  const revoke = useAction(trpc.auth.revokeToken.useMutation(), {
    success: 'Access token revoked',
    failure: 'Failed to revoke access token',
    serverSpeaks: true,
    refresh: [utils.auth.tokens],
  });
  return (
    <RevokeTokenDialog
      name={token.name}
      action={revoke}
      onConfirm={(close) => revoke.run({ id: token.id }, close)}
    />
  );
}
