import type { AccessToken, TokenResource } from '@nephos/contracts';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DeleteDialog, type DeleteDialogProps } from '../ui/delete-dialog.tsx';
import { formatAgo, formatInstant } from './format.ts';
import { SCOPE_LABELS } from './token-words.ts';

const GONE_LABELS: Record<TokenResource['kind'], string> = {
  project: 'A deleted project',
  bucket: 'A deleted bucket',
  repository: 'A deleted repository',
  zone: 'A deleted DNS zone',
  database: 'A deleted database',
};

interface TokenRowsProps {
  tokens: readonly AccessToken[];
  /** The workspace that one is of, where that has to be said. */
  placeOf?: (token: AccessToken) => string | undefined;
  /** The button that ends one. */
  revoke: (token: AccessToken) => ReactNode;
}

/** Access tokens with what they open and when they were used. */
export function TokenRows({ tokens, placeOf, revoke }: TokenRowsProps) {
  if (tokens.length === 0) {
    return (
      <p className="flex items-center gap-3 py-3 text-muted">
        <KeyRound aria-hidden="true" className="size-4 shrink-0 text-faint" />
        No access tokens yet
      </p>
    );
  }
  return (
    <ul aria-label="Access tokens" className="divide-y divide-line">
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} place={placeOf?.(token)} revoke={revoke(token)} />
      ))}
    </ul>
  );
}

interface TokenRowProps {
  token: AccessToken;
  place: string | undefined;
  revoke: ReactNode;
}

function TokenRow({ token, place, revoke }: TokenRowProps) {
  const { name, scope, resource, createdAt, lastUsedAt, expiresAt } = token;
  const expired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <KeyRound aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 grow basis-40">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="break-all">{name}</span>
          <Badge>{SCOPE_LABELS[scope]}</Badge>
          {resource && (
            <Badge className="max-w-full">
              <span className="truncate">
                {resource.name === null ? GONE_LABELS[resource.kind] : `Only ${resource.name}`}
              </span>
            </Badge>
          )}
          {expired && <Badge tone="warning">Expired</Badge>}
        </p>
        <p className="mt-0.5 break-words text-faint text-sm">
          {place && `in ${place} · `}
          <Instant words="created" at={createdAt} />
          {' · '}
          {lastUsedAt ? <Instant words="last used" at={lastUsedAt} /> : 'never used'}
          {' · '}
          {expiresAt ? `${expired ? 'expired' : 'expires'} ${formatInstant(expiresAt)}` : 'no expiration'}
        </p>
      </div>
      {revoke}
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

/** The button that ends a token, and its question. */
export function RevokeTokenDialog(props: Pick<DeleteDialogProps, 'name' | 'action' | 'onConfirm'>) {
  return (
    <DeleteDialog
      title="Revoke access token?"
      description="Programs that use this token lose access immediately. This can't be undone."
      label="Revoke token"
      {...props}
      trigger={(open) => (
        <Button size="sm" aria-label={`Revoke ${props.name}`} onClick={open}>
          Revoke
        </Button>
      )}
    />
  );
}
