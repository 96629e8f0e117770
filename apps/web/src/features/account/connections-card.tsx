import type { Connection, Connections } from '@nephos/contracts';
import { KeyRound, Plus } from 'lucide-react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Logins of other services that open the account; nothing where the server has none. */
export function ConnectionsCard() {
  const found = trpc.auth.connections.useQuery();
  if (!found.data) {
    return found.error && <LoadFailure query={found} failure="Failed to load your connected accounts" />;
  }
  const { connections, providers } = found.data;
  if (connections.length === 0 && providers.length === 0) return null;
  const connected = new Set(connections.map(({ providerId }) => providerId));
  const others = providers.filter(({ id }) => !connected.has(id));
  return (
    <Card>
      <CardHeader title="Connected accounts" description="Logins of other services that log you in here." />
      {connections.length > 0 && (
        <ul aria-label="Connected accounts" className="mt-2 divide-y divide-line">
          {connections.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <div className="mt-4 flex flex-wrap gap-2">
          {others.map((provider) => (
            <Connect key={provider.id} provider={provider} />
          ))}
        </div>
      )}
    </Card>
  );
}

function Connect({ provider: { id, name } }: { provider: Connections['providers'][number] }) {
  const begin = useAction(trpc.auth.beginConnection.useMutation(), {
    failure: `Failed to connect ${name}`,
    serverSpeaks: true,
    leave: ({ path }) => window.location.assign(path),
  });
  return (
    <Button pending={begin.pending} onClick={() => begin.run({ providerId: id })}>
      <Plus aria-hidden="true" />
      Connect {name}
    </Button>
  );
}

function ConnectionRow({ connection }: { connection: Connection }) {
  const { id, name, email, providerId, connectedAt } = connection;
  const utils = trpc.useUtils();
  const disconnect = useAction(trpc.auth.disconnect.useMutation(), {
    success: `${name} disconnected`,
    failure: `Failed to disconnect ${name}`,
    serverSpeaks: true,
    refresh: [utils.auth.connections],
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <KeyRound aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 grow basis-40">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="break-words">{name}</span>
          {providerId === null && <Badge tone="warning">No longer offered here</Badge>}
        </p>
        <p className="mt-0.5 break-all text-faint text-sm">
          {email !== null && <>{email} · </>}
          <time dateTime={connectedAt} title={formatInstant(connectedAt)}>
            connected {formatAgo(connectedAt)}
          </time>
        </p>
      </div>
      <ConfirmDialog
        title={`Disconnect ${name}?`}
        description={`${name} no longer logs you in to this account.`}
        label="Disconnect"
        action={disconnect}
        onConfirm={(close) => disconnect.run({ id }, close)}
        trigger={(open) => (
          <Button size="sm" aria-label={`Disconnect ${name}`} onClick={open}>
            Disconnect
          </Button>
        )}
      />
    </li>
  );
}
