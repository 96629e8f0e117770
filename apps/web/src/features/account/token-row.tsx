import type { AccessToken } from '@nephos/contracts';
import { KeyRound } from 'lucide-react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SCOPE_LABELS } from './token-scopes.ts';

export interface TokenRowProps {
  token: AccessToken;
  onRevoke: () => void;
}

export function TokenRow({
  token: { name, scope, createdAt, lastUsedAt, expiresAt },
  onRevoke,
}: TokenRowProps) {
  const expired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <KeyRound aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 grow basis-40">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="break-all">{name}</span>
          <Badge>{SCOPE_LABELS[scope]}</Badge>
          {expired && <Badge tone="warning">Expired</Badge>}
        </p>
        <p className="mt-0.5 text-faint text-sm">
          <Instant words="created" at={createdAt} />
          {' · '}
          {lastUsedAt ? <Instant words="last used" at={lastUsedAt} /> : 'never used'}
          {' · '}
          {expiresAt ? `${expired ? 'expired' : 'expires'} ${formatInstant(expiresAt)}` : 'does not expire'}
        </p>
      </div>
      <Button size="sm" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
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
