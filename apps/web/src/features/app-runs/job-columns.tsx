import type { AppRun, CronJob } from '@nephos/contracts';
import { Pencil, Play, Trash2 } from 'lucide-react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { useRunButton } from '../../lib/run-refusal.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { isUnfinished, RunStatusBadge } from './run-status.tsx';
import { formatInZone, OWN_ZONE } from './zones.ts';

interface JobActions {
  onEdit: (job: CronJob) => void;
  /** A run was asked for, or is to be shown. */
  onRun: (run: AppRun) => void;
}

export function jobColumns({ onEdit, onRun }: JobActions): readonly Column<CronJob>[] {
  return [
    {
      heading: 'Name',
      card: 'title',
      cell: ({ name, command }) => (
        <div className="min-w-0">
          <p className="break-words font-medium">{name}</p>
          <p className="break-all font-mono text-muted text-sm">{command}</p>
        </div>
      ),
    },
    {
      heading: 'Schedule',
      cell: ({ description, schedule, timeZone }) => (
        <div>
          <p>{description}</p>
          <p className="text-muted text-sm">
            <code className="font-mono">{schedule}</code> · {timeZone}
          </p>
        </div>
      ),
    },
    { heading: 'Next run', cell: (job) => <NextRun job={job} /> },
    {
      heading: 'Last run',
      cell: ({ lastRun }) =>
        lastRun ? <LastRun run={lastRun} /> : <span className="text-faint">Never</span>,
    },
    {
      heading: 'Actions',
      hideHeading: true,
      className: 'text-right whitespace-nowrap',
      card: 'end',
      cell: (job) => (
        <div className="flex justify-end">
          <RunNow job={job} onRun={onRun} />
          <EditJob job={job} onEdit={onEdit} />
          <DeleteJob job={job} />
        </div>
      ),
    },
  ];
}

/** In the person's own zone, and in the job's where that is another. */
function NextRun({ job: { nextRunAt, timeZone } }: { job: CronJob }) {
  if (!nextRunAt) return <span className="text-faint">Off</span>;
  return (
    <div>
      <time dateTime={nextRunAt}>{formatInZone(nextRunAt, OWN_ZONE)}</time>
      {timeZone !== OWN_ZONE && (
        <p className="text-muted text-sm">
          {formatInZone(nextRunAt, timeZone)} in {timeZone}
        </p>
      )}
    </div>
  );
}

function LastRun({ run }: { run: AppRun }) {
  const at = run.startedAt ?? run.createdAt;
  return (
    <div className="flex flex-col items-start gap-1 in-[li]:items-end">
      <RunStatusBadge status={run.status} />
      <time dateTime={at} title={formatInstant(at)} className="text-muted text-sm">
        {formatAgo(at)}
      </time>
    </div>
  );
}

function EditJob({ job, onEdit }: { job: CronJob } & Pick<JobActions, 'onEdit'>) {
  return (
    <IconButton label={`Edit ${job.name}`} title="Edit" {...useNeed('build')} onClick={() => onEdit(job)}>
      <Pencil />
    </IconButton>
  );
}

function RunNow({ job, onRun }: { job: CronJob; onRun: (run: AppRun) => void }) {
  const utils = trpc.useUtils();
  const run = useAction(trpc.appRuns.runJob.useMutation(), {
    failure: 'Failed to run the job',
    serverSpeaks: true,
    refresh: [utils.appRuns.jobs, utils.appRuns.list],
    leave: onRun,
  });
  const guard = useRunButton(job.projectId);
  const goesOn = job.lastRun !== null && isUnfinished(job.lastRun);
  return (
    <IconButton
      label={`Run ${job.name} now`}
      title="Run now"
      disabled={run.pending || goesOn}
      {...guard}
      onClick={() => run.run({ id: job.id })}
    >
      <Play />
    </IconButton>
  );
}

function DeleteJob({ job: { id, name } }: { job: CronJob }) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.appRuns.removeJob.useMutation(), {
    success: 'Cron job deleted',
    failure: 'Failed to delete the cron job',
    refresh: [utils.appRuns.jobs, utils.appRuns.list],
  });
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      description="Its history and logs are deleted with it. A run in progress is stopped."
      label="Delete cron job"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <IconButton label={`Delete ${name}`} title="Delete" onClick={open}>
          <Trash2 />
        </IconButton>
      )}
    />
  );
}
