import type { AccessToken, TokenResource } from '@nephos/contracts';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { SCOPE_LABELS } from '../../lib/token-words.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';

const NewTokenDialog = lateDialog({ fields: 4 }, () =>
  import('./new-token-dialog.tsx').then(({ NewTokenDialog }) => NewTokenDialog),
);

const RESOURCE_LABELS: Record<TokenResource['kind'], string> = {
  project: 'One project',
  bucket: 'One bucket',
  repository: 'One repository',
  zone: 'One DNS zone',
  database: 'One database',
};

export function TokenList() {
  const [tokens] = trpc.auth.tokens.useSuspenseQuery();
  const [creating, setCreating] = useState(false);
  return (
    <Card id="tokens" className="scroll-mt-20">
      <CardHeader
        title="Access tokens"
        description="Use one as the password in docker and skopeo, or as a bearer token with the API."
      />
      {tokens.length === 0 ? (
        <p className="mt-4 flex items-center gap-3 border-line border-t pt-4 text-muted">
          <KeyRound aria-hidden="true" className="size-4 shrink-0 text-faint" />
          No access tokens yet
        </p>
      ) : (
        <ul aria-label="Access tokens" className="mt-4 divide-y divide-line">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
      <Button className="mt-4" onClick={() => setCreating(true)}>
        <Plus aria-hidden="true" />
        New token
      </Button>
      {creating && <NewTokenDialog onClose={() => setCreating(false)} />}
    </Card>
  );
}

function TokenRow({ token }: { token: AccessToken }) {
  const { name, scope, workspaceId, resource, createdAt, lastUsedAt, expiresAt } = token;
  const workspaces = trpc.workspaces.list.useQuery().data ?? [];
  // Who has one workspace alone knows which it is.
  const workspace = workspaces.length > 1 && workspaces.find(({ id }) => id === workspaceId);
  const expired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <KeyRound aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 grow basis-40">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="break-all">{name}</span>
          <Badge>{SCOPE_LABELS[scope]}</Badge>
          {resource && <Badge>{RESOURCE_LABELS[resource.kind]}</Badge>}
          {expired && <Badge tone="warning">Expired</Badge>}
        </p>
        <p className="mt-0.5 break-words text-faint text-sm">
          {workspace && `in ${workspace.name} · `}
          <Instant words="created" at={createdAt} />
          {' · '}
          {lastUsedAt ? <Instant words="last used" at={lastUsedAt} /> : 'never used'}
          {' · '}
          {expiresAt ? `${expired ? 'expired' : 'expires'} ${formatInstant(expiresAt)}` : 'no expiration'}
        </p>
      </div>
      <RevokeToken token={token} />
    </li>
  );
}

function Instant({ words, at }: { words: string; at: string }) {
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {words} {formatAgo(at)}
    </time>
  );
}

function RevokeToken({ token: { id, name } }: { token: AccessToken }) {
  const utils = trpc.useUtils();
  const revoke = useAction(trpc.auth.revokeToken.useMutation(), {
    success: 'Access token revoked',
    failure: 'Failed to revoke access token',
    serverSpeaks: true,
    refresh: [utils.auth.tokens],
  });
  return (
    <DeleteDialog
      title="Revoke access token?"
      description="Programs that use this token lose access immediately. This can't be undone."
      name={name}
      label="Revoke token"
      action={revoke}
      onConfirm={(close) => revoke.run({ id }, close)}
      trigger={(open) => (
        <Button size="sm" aria-label={`Revoke ${name}`} onClick={open}>
          Revoke
        </Button>
      )}
    />
  );
}
