import type { AccessToken } from '@nephos/contracts';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { RevokeToken } from './revoke-token.tsx';
import { TokenRow } from './token-row.tsx';

export function TokenList() {
  const [tokens] = trpc.auth.tokens.useSuspenseQuery();
  const [creating, setCreating] = useState(false);
  const [leaving, setLeaving] = useState<AccessToken>();
  return (
    <Card id="tokens" className="scroll-mt-20">
      <CardHeader
        title="Access tokens"
        description="What programs sign in with: docker and skopeo as a password, others as a bearer token."
      />
      {tokens.length === 0 ? (
        <p className="mt-4 flex items-center gap-3 border-line border-t pt-4 text-muted">
          <KeyRound aria-hidden="true" className="size-4 shrink-0 text-faint" />
          No access tokens yet
        </p>
      ) : (
        <ul aria-label="Access tokens" className="mt-4 divide-y divide-line">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setLeaving(token)} />
          ))}
        </ul>
      )}
      <Button className="mt-4" onClick={() => setCreating(true)}>
        <Plus aria-hidden="true" />
        New token
      </Button>
      <NewTokenDialog open={creating} onOpenChange={setCreating} />
      {leaving && <RevokeToken token={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  );
}
