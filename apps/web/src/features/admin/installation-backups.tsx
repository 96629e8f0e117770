import type { InstallationBackup } from '@nephos/contracts';
import { CircleCheck, CircleOff, CircleX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatDuration, formatInstant, formatSize } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';

/** Milliseconds until the next look, while one runs, and otherwise: they are made by the command line, too. */
const SOON = 2000;
const LATER = 30_000;
/** Rows before the rest is asked for. */
const FIRST = 5;

const KINDS = { backup: 'Backup', proof: 'Trial restore' } as const;

const LOOKS = {
  running: { label: 'Running', tone: 'info', icon: <Spinner /> },
  done: { label: 'Done', tone: 'success', icon: <CircleCheck aria-hidden="true" /> },
  failed: { label: 'Failed', tone: 'danger', icon: <CircleX aria-hidden="true" /> },
  cancelled: { label: 'Cancelled', tone: 'neutral', icon: <CircleOff aria-hidden="true" /> },
} as const;

const isRunning = ({ status }: InstallationBackup) => status === 'running';

/** The backups of the whole installation and their trial restores, and the way to one more. */
export function InstallationBackups() {
  const [all, setAll] = useState(false);
  const runs = trpc.admin.backups.useQuery(undefined, {
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? SOON : LATER),
  });
  const utils = trpc.useUtils();
  const isBusy = runs.data?.some(isRunning) === true;
  const wasBusy = useRef(isBusy);
  // The engine's own sentence, and whether it is healthy, change with what one comes to.
  useEffect(() => {
    if (wasBusy.current && !isBusy) void utils.admin.engines.invalidate();
    wasBusy.current = isBusy;
  }, [isBusy, utils]);
  const running = (kind: InstallationBackup['kind']) =>
    runs.data?.some((run) => isRunning(run) && run.kind === kind) === true;
  const hasBackup = runs.data?.some(({ kind, status }) => kind === 'backup' && status === 'done');
  const rest = (runs.data?.length ?? 0) - FIRST;
  return (
    <div className="basis-full">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-faint text-sm">Backups and trial restores</p>
        <div className="flex flex-wrap gap-2">
          <Start kind="backup" label="Back up now" running={running('backup')} />
          {hasBackup && <Start kind="proof" label="Restore on trial" running={running('proof')} />}
        </div>
      </div>
      {runs.error && <LoadFailure query={runs} failure="Failed to load the backups" />}
      {!runs.data && !runs.error && (
        <SkeletonGroup label="Loading the backups">
          <Skeleton className="mt-3 h-5 w-64 max-w-full" />
        </SkeletonGroup>
      )}
      {runs.data?.length === 0 && (
        <p className="mt-1.5 text-muted text-sm">None yet. The first one is made tonight.</p>
      )}
      {runs.data && runs.data.length > 0 && (
        <ul
          aria-label="Backups and trial restores"
          className="mt-1.5 divide-y divide-line border-line border-t text-sm"
        >
          {(all ? runs.data : runs.data.slice(0, FIRST)).map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      {rest > 0 && !all && (
        <Button size="sm" className="mt-2" onClick={() => setAll(true)}>
          Show {rest} more
        </Button>
      )}
    </div>
  );
}

interface StartProps {
  kind: InstallationBackup['kind'];
  label: string;
  running: boolean;
}

function Start({ kind, label, running }: StartProps) {
  const utils = trpc.useUtils();
  const start = useAction(trpc.admin.startBackup.useMutation(), {
    failure: kind === 'proof' ? 'Failed to start the trial restore' : 'Failed to start the backup',
    serverSpeaks: true,
    refresh: [utils.admin.backups, utils.admin.engines],
  });
  return (
    <Button size="sm" pending={start.pending || running} onClick={() => start.run({ kind })}>
      {label}
    </Button>
  );
}

function RunRow({ run }: { run: InstallationBackup }) {
  const { kind, status, startedAt, step, done, expected, error, missing } = run;
  const { label, tone, icon } = LOOKS[status];
  const what = KINDS[kind];
  return (
    <li className="py-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Badge tone={tone} icon={icon}>
          {label}
        </Badge>
        <span className="font-medium">{what}</span>
        <time dateTime={startedAt} className="text-muted">
          {formatInstant(startedAt)}
        </time>
        <span className="text-muted tabular-nums">{factsOf(run)}</span>
        {isRunning(run) && <Cancel id={run.id} what={what} />}
      </div>
      {isRunning(run) && step && <p className="mt-1 text-muted">At: {step}</p>}
      {isRunning(run) && expected !== null && (
        <div className="mt-1.5 max-w-96">
          <Progress label={what} value={done} max={expected} />
        </div>
      )}
      {error && <p className="mt-1 break-words text-danger">{error}</p>}
      {missing.length > 0 && (
        <ul aria-label="Not in it" className="mt-1 list-disc pl-5 text-warning">
          {missing.map((sentence) => (
            <li key={sentence} className="break-words">
              {sentence}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function factsOf({ kind, status, bytes, added, done, startedAt, endedAt }: InstallationBackup): string {
  const took = endedAt ? [formatDuration(Date.parse(endedAt) - Date.parse(startedAt))] : [];
  if (status === 'running') return done > 0 ? `${formatSize(done)} read` : '';
  if (bytes === null) return took.join('');
  const stored = kind === 'backup' ? [`${formatSize(added ?? 0)} new`] : [];
  return [formatSize(bytes), ...stored, ...took].join(' · ');
}

function Cancel({ id, what }: { id: string; what: string }) {
  const utils = trpc.useUtils();
  const cancel = useAction(trpc.admin.cancelBackup.useMutation(), {
    success: 'It stops within seconds',
    failure: 'Failed to cancel it',
    serverSpeaks: true,
    refresh: [utils.admin.backups],
  });
  return (
    <Button
      size="sm"
      aria-label={`Cancel: ${what}`}
      pending={cancel.pending}
      onClick={() => cancel.run({ id })}
    >
      Cancel
    </Button>
  );
}
