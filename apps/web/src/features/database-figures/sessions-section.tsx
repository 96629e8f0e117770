import type { DatabaseSession } from '@nephos/contracts';
import { RefreshCw } from 'lucide-react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { AsleepNotice } from './asleep-notice.tsx';

/** Milliseconds until the sessions are asked for again, by themselves. */
const NEXT_LOOK = 10_000;

/** Who is connected, what they run, and who waits for whom. */
export function SessionsSection({ id }: { id: string }) {
  const refusal = useRefusal('secrets');
  const sessions = trpc.databaseFigures.sessions.useQuery(
    { id },
    { staleTime: 0, enabled: refusal === undefined, refetchInterval: NEXT_LOOK },
  );
  const found = sessions.data;
  return (
    <section aria-label="Sessions">
      <div className="mb-3 flex items-center gap-2">
        <h2 className="font-semibold">Sessions</h2>
        {found?.state === 'asked' && (
          <IconButton
            label="Refresh sessions"
            title="Refresh sessions"
            size="sm"
            disabled={sessions.isFetching}
            onClick={() => void sessions.refetch()}
          >
            <RefreshCw aria-hidden="true" className={classNames(sessions.isFetching && 'animate-spin')} />
          </IconButton>
        )}
      </div>
      {refusal && <Notice tone="warning" title={refusal} />}
      {sessions.error && <LoadFailure query={sessions} failure="Failed to load the sessions" />}
      {!refusal && !sessions.error && !found && (
        <SkeletonGroup label="Loading the sessions">
          <Skeleton className="h-24" />
        </SkeletonGroup>
      )}
      {!sessions.error && found?.state === 'asleep' && <AsleepNotice id={id} what="Nobody is connected." />}
      {!sessions.error && found?.state === 'asked' && <Sessions id={id} sessions={found.sessions} />}
    </section>
  );
}

function Sessions({ id, sessions }: { id: string; sessions: DatabaseSession[] }) {
  if (sessions.length === 0) return <p className="text-muted">Nobody is connected.</p>;
  const blocking = new Set(sessions.flatMap(({ waitsFor }) => waitsFor));
  return (
    <ul className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface">
      {sessions.map((session) => (
        <li key={session.id} className="px-4 py-3">
          <Session id={id} session={session} isBlocking={blocking.has(session.id)} />
        </li>
      ))}
    </ul>
  );
}

/** A session's process at the server, by which the server's own views and logs call it. */
const processOf = (session: string) => session.split('-')[0];

interface SessionProps {
  id: string;
  session: DatabaseSession;
  /** Whether others wait for it. */
  isBlocking: boolean;
}

function Session({ id, session, isBlocking }: SessionProps) {
  const { application, user, state, since, statement, waitsFor, waitsSince } = session;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 basis-80 grow">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{processOf(session.id)}</span>
          <span className="text-muted text-sm">
            {[application, user].filter(Boolean).join(' · ')} · {state}{' '}
            <time dateTime={since} title={formatInstant(since)}>
              {formatAgo(since)}
            </time>
          </span>
          {isBlocking && <Badge tone="danger">Blocks others</Badge>}
          {waitsSince && (
            <Badge tone="warning">
              {waitsFor.length > 0 ? `Waits for ${waitsFor.map(processOf).join(', ')}` : 'Waits for a lock'},{' '}
              <time dateTime={waitsSince} title={formatInstant(waitsSince)}>
                {formatAgo(waitsSince)}
              </time>
            </Badge>
          )}
        </p>
        {statement && (
          <code className="mt-1 line-clamp-3 break-words text-sm" title={statement}>
            {statement}
          </code>
        )}
      </div>
      <SessionActions id={id} session={session} />
    </div>
  );
}

function SessionActions({ id, session: { id: session, state } }: Pick<SessionProps, 'id' | 'session'>) {
  const utils = trpc.useUtils();
  const refresh = [utils.databaseFigures.sessions];
  const cancel = useAction(trpc.databaseFigures.cancelSession.useMutation(), {
    success: 'Statement cancelled',
    failure: 'Failed to cancel the statement',
    ...{ serverSpeaks: true, refresh },
  });
  const end = useAction(trpc.databaseFigures.endSession.useMutation(), {
    success: 'Session ended',
    failure: 'Failed to end the session',
    ...{ serverSpeaks: true, refresh },
  });
  return (
    <div className="flex gap-2">
      {state === 'active' && (
        <Button
          size="sm"
          {...cancel.button}
          aria-label={`Cancel statement of ${processOf(session)}`}
          onClick={() => cancel.run({ id, session })}
        >
          Cancel
        </Button>
      )}
      <ConfirmDialog
        title={`End session ${processOf(session)}?`}
        description="Its connection is closed and what it hasn't committed is rolled back. Its app may connect again."
        label="End session"
        action={end}
        onConfirm={(close) => end.run({ id, session }, close)}
        trigger={(open) => (
          <Button size="sm" aria-label={`End session ${processOf(session)}`} onClick={open}>
            End session
          </Button>
        )}
      />
    </div>
  );
}
