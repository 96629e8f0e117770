import type { Session } from '@nephos/contracts';
import { Monitor } from 'lucide-react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { EndOthers } from './other-sessions.tsx';

export function SessionList() {
  const [sessions] = trpc.auth.sessions.useSuspenseQuery();
  return (
    <Card>
      <CardHeader
        title="Sessions"
        description="Devices that are logged in to your account. Revoke any you don't recognize."
        aside={sessions.length > 1 && <EndOthers />}
      />
      <ul aria-label="Sessions" className="mt-4 divide-y divide-line">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Card>
  );
}

function SessionRow({
  session: { id, current, userAgent, device, place, ipAddress, createdAt },
}: {
  session: Session;
}) {
  const utils = trpc.useUtils();
  const revoke = useAction(trpc.auth.revokeSession.useMutation(), {
    success: 'Session revoked',
    failure: 'Failed to revoke session',
    serverSpeaks: true,
    refresh: [utils.auth.sessions],
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <Monitor aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 grow basis-40">
        <p className="flex flex-wrap items-center gap-2 font-medium" title={userAgent}>
          {device}
          {current && <Badge tone="success">This session</Badge>}
        </p>
        <p className="mt-0.5 text-faint text-sm">
          {place !== null && `${place} · `}
          {ipAddress} ·{' '}
          <time dateTime={createdAt} title={formatInstant(createdAt)}>
            logged in {formatAgo(createdAt)}
          </time>
        </p>
      </div>
      {!current && (
        <Button
          size="sm"
          aria-label={`Revoke the session of ${device} at ${ipAddress}`}
          pending={revoke.pending}
          onClick={() => revoke.run({ id })}
        >
          Revoke
        </Button>
      )}
    </li>
  );
}
