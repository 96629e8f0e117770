import type { BackgroundJob, BackgroundJobs } from '@nephos/contracts';
import { ListChecks } from 'lucide-react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Day } from './cells.tsx';
import { FRESH } from './fresh.ts';
import { Panel, PanelSkeleton } from './panel.tsx';

const FAILURE = 'Failed to load background jobs';

/** Background work that waits, runs or has failed. */
export function JobsTab() {
  const jobs = trpc.admin.jobs.useQuery(undefined, FRESH);
  if (!jobs.data) {
    if (jobs.error) return <LoadFailure query={jobs} failure={FAILURE} />;
    return <PanelSkeleton label="Loading background jobs…" />;
  }
  return (
    <Panel
      title="Background jobs"
      about={
        <p className="text-muted">
          What the server does after an answer: it is tried again by itself, and listed for a day where it
          failed for good.
        </p>
      }
      again="Refresh"
      query={jobs}
      failure={FAILURE}
    >
      <Everything {...jobs.data} />
    </Panel>
  );
}

type Queue = BackgroundJobs['queues'][number] & { id: string };

const FIGURE = 'text-right tabular-nums';

const QUEUE_COLUMNS: readonly Column<Queue>[] = [
  { heading: 'Queue', cell: ({ name }) => <code className="break-all text-sm">{name}</code> },
  { heading: 'Waiting', className: FIGURE, cell: ({ waiting }) => waiting },
  { heading: 'Running', className: FIGURE, cell: ({ running }) => running },
  { heading: 'Failed', className: FIGURE, cell: ({ failed }) => failed },
];

const STATES = {
  waiting: <Badge>Waiting</Badge>,
  running: <Badge tone="info">Running</Badge>,
  failed: <Badge tone="danger">Failed</Badge>,
};

const JOB_COLUMNS: readonly Column<BackgroundJob>[] = [
  { heading: 'Job', cell: ({ queue }) => <code className="break-all text-sm">{queue}</code> },
  { heading: 'State', cell: ({ state }) => STATES[state] },
  { heading: 'Since', cell: ({ createdAt }) => <Day instant={createdAt} /> },
  { heading: 'Runs', className: FIGURE, cell: ({ runs }) => runs },
  { heading: 'Last error', cell: ({ error }) => <span className="break-words text-sm">{error}</span> },
  { heading: 'Actions', cell: (job) => <JobActions {...job} /> },
];

function Everything({ queues, jobs }: BackgroundJobs) {
  if (jobs.length === 0) {
    return (
      <EmptyState icon={ListChecks} title="No jobs" description="Nothing is waiting, running or failed." />
    );
  }
  return (
    <>
      <DataList
        label="Queues"
        columns={QUEUE_COLUMNS}
        rows={queues.map((queue) => ({ ...queue, id: queue.name }))}
      />
      <DataList label="Jobs" columns={JOB_COLUMNS} rows={jobs} />
    </>
  );
}

function JobActions({ id, queue, state }: BackgroundJob) {
  const utils = trpc.useUtils();
  const refresh = [utils.admin.jobs];
  const retry = useAction(trpc.admin.retryJob.useMutation(), {
    ...{ success: 'Job queued', failure: 'Failed to run the job', serverSpeaks: true, refresh },
  });
  const cancel = useAction(trpc.admin.cancelJob.useMutation(), {
    ...{ success: 'Job cancelled', failure: 'Failed to cancel the job', serverSpeaks: true, refresh },
  });
  return (
    <div className="flex flex-wrap gap-2">
      {state !== 'running' && (
        <Button size="sm" pending={retry.pending} onClick={() => retry.run({ id })}>
          Run now
        </Button>
      )}
      <DeleteDialog
        title="Cancel job?"
        description="It is not tried again, and what it was for stays undone."
        name={queue}
        label="Cancel job"
        keepLabel="Keep job"
        action={cancel}
        onConfirm={(close) => cancel.run({ id }, close)}
        trigger={(open) => (
          <Button size="sm" onClick={open}>
            Cancel
          </Button>
        )}
      />
    </div>
  );
}
