import type { EventKind, ProjectEvent } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import {
  CalendarX2,
  CircleStop,
  CircleX,
  type LucideIcon,
  MemoryStick,
  OctagonAlert,
  Play,
  RefreshCw,
  Rocket,
  RotateCcw,
  Scaling,
} from 'lucide-react';
import { useState } from 'react';
import { DAY } from '../../lib/durations.ts';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useChanges } from '../../lib/use-changes.ts';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { classNames } from '../../ui/class-names.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const FIRST = 10;
/** How long a crash is told above everything else. */
const RECENT = DAY;
const PAGE = 50;

interface CrashNoticeProps {
  projectId: string;
  /** Whether the page says already that the app has crashed for good: then what it wrote last is left to say. */
  isTold: boolean;
}

/** The newest crash of the version that runs, if it is of today: what ended the process, and what it wrote last. */
export function CrashNotice({ projectId, isTold }: CrashNoticeProps) {
  const { data: events = [] } = trpc.observability.events.useQuery({ id: projectId, limit: FIRST + 1 });
  const since = events.findIndex(({ kind, process }) => NEW_START.has(kind) && process === null);
  const crash = events
    .slice(0, since === -1 ? undefined : since)
    .find(({ kind, lastLines }) => CRASHES.has(kind) && !(isTold && !lastLines));
  if (!crash || Date.now() - Date.parse(crash.createdAt) > RECENT) return null;
  const { name } = LOOKS[crash.kind];
  if (isTold) {
    return (
      <Notice className="mb-6" title={crash.message}>
        <LastLines event={crash} open />
      </Notice>
    );
  }
  return (
    <Notice tone="danger" className="mb-6" title={`${name} ${formatAgo(crash.createdAt)}`}>
      <p>{crash.message}</p>
      {crash.lastLines && <LastLines event={crash} open />}
    </Notice>
  );
}

const CRASHES: ReadonlySet<EventKind> = new Set(['crashed', 'out-of-memory'] as const);

/** After these, a crash is of the past. */
const NEW_START: ReadonlySet<EventKind> = new Set([
  ...(['deployed', 'rolled-back', 'started', 'restarted', 'stopped'] as const),
]);

/** What happened to a project, newest first, with what a crashed process said last. */
export function EventsSection({ projectId }: { projectId: string }) {
  const utils = trpc.useUtils();
  const [limit, setLimit] = useState(FIRST);
  const input = { id: projectId, limit: limit + 1 };
  const events = trpc.observability.events.useQuery(input, { placeholderData: (before) => before });
  useChanges(
    trpc.observability.newEvents,
    { id: projectId },
    { refetch: () => void utils.observability.events.invalidate({ id: projectId }) },
  );
  return (
    <section aria-label="Events" className="mt-8">
      <h2 className="mb-3 font-semibold text-lg">Events</h2>
      {events.data ? (
        <EventList events={events.data.slice(0, limit)} />
      ) : events.error ? (
        <LoadFailure query={events} failure="The events couldn't be loaded." />
      ) : (
        <Skeleton className="h-28 w-full" />
      )}
      {(events.data?.length ?? 0) > limit && (
        <div className="mt-4 flex justify-center">
          <Button pending={events.isFetching} onClick={() => setLimit((before) => before + PAGE)}>
            Show older events
          </Button>
        </div>
      )}
    </section>
  );
}

function EventList({ events }: { events: readonly ProjectEvent[] }) {
  if (events.length === 0) {
    return (
      <p className="text-muted">Deployments, restarts and crashes of this project will be listed here.</p>
    );
  }
  return (
    <ol className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </ol>
  );
}

interface Look {
  name: string;
  icon: LucideIcon;
  tone: string;
}

const NEUTRAL = 'text-muted';
const LOOKS: Record<EventKind, Look> = {
  deployed: { name: 'Deployed', icon: Rocket, tone: 'text-success' },
  'rolled-back': { name: 'Rolled back', icon: RotateCcw, tone: NEUTRAL },
  'deploy-failed': { name: 'Deploy failed', icon: CircleX, tone: 'text-danger' },
  started: { name: 'Started', icon: Play, tone: NEUTRAL },
  restarted: { name: 'Restarted', icon: RefreshCw, tone: NEUTRAL },
  stopped: { name: 'Stopped', icon: CircleStop, tone: NEUTRAL },
  crashed: { name: 'Crashed', icon: OctagonAlert, tone: 'text-danger' },
  'out-of-memory': { name: 'Out of memory', icon: MemoryStick, tone: 'text-danger' },
  scaled: { name: 'Scaled', icon: Scaling, tone: NEUTRAL },
  'cron-failed': { name: 'Cron job failed', icon: CalendarX2, tone: 'text-danger' },
};

function EventRow({ event }: { event: ProjectEvent }) {
  const { name, icon: Icon, tone } = LOOKS[event.kind];
  return (
    <li className="flex gap-3 px-4 py-3">
      <Icon aria-hidden="true" className={classNames('mt-0.5 size-4 shrink-0', tone)} />
      <div className="min-w-0 grow">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h3 className="font-medium">{name}</h3>
          <time
            dateTime={event.createdAt}
            title={formatInstant(event.createdAt)}
            className="text-faint text-sm"
          >
            {formatAgo(event.createdAt)}
          </time>
        </div>
        <p className="break-words text-muted text-sm">{event.message}</p>
        {event.lastLines && <LastLines event={event} />}
      </div>
    </li>
  );
}

/** What a process wrote before it ended, and the way to all of it. */
function LastLines({ event, open = false }: { event: ProjectEvent; open?: boolean }) {
  return (
    <details open={open} className="mt-2">
      <summary className="w-fit cursor-default rounded-sm text-muted text-sm hover:text-fg">
        Last output
      </summary>
      <pre className="mt-2 max-h-64 overflow-auto whitespace-pre-wrap break-words rounded-md bg-sunken p-3 font-mono text-sm leading-5">
        {event.lastLines}
      </pre>
      <Link
        to="/projects/$projectId/logs"
        params={{ projectId: event.projectId }}
        search={{ ...(event.process && { process: event.process }), until: event.createdAt }}
        className={buttonStyles({ size: 'sm', className: 'mt-2' })}
      >
        View logs
      </Link>
    </details>
  );
}
