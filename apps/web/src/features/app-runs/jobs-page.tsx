import type { AppRun, CronJob } from '@nephos/contracts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CalendarClock, Play, Plus, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { useRunButton } from '../../lib/run-refusal.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useChanges } from '../../lib/use-changes.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { jobColumns } from './job-columns.tsx';
import { RunList } from './run-list.tsx';

const CommandDialog = lateDialog({ fields: 2 }, () =>
  import('./command-dialog.tsx').then(({ CommandDialog }) => CommandDialog),
);

const JobDialog = lateDialog({ fields: 6, wide: true }, () =>
  import('./job-dialog.tsx').then(({ JobDialog }) => JobDialog),
);

const RunDialog = lateDialog({ fields: 1, wide: true }, () =>
  import('./run-dialog.tsx').then(({ RunDialog }) => RunDialog),
);

const route = getRouteApi('/_console/projects/$projectId/jobs');

type Opened =
  | { kind: 'job'; job: CronJob | undefined }
  | { kind: 'command' }
  | { kind: 'run'; runId: string; title: string };

/** A project's cron jobs, commands that are run beside the app, and what became of both. */
export function JobsPage() {
  const { projectId } = route.useParams();
  const [jobs] = trpc.appRuns.jobs.useSuspenseQuery({ id: projectId });
  const utils = trpc.useUtils();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  useChanges(
    trpc.appRuns.changes,
    { id: projectId },
    {
      refetch: () => {
        void utils.appRuns.jobs.invalidate({ id: projectId });
        void utils.appRuns.list.invalidate({ id: projectId });
      },
    },
  );

  const showRun = (run: AppRun) => setOpened({ kind: 'run', runId: run.id, title: titleOf(run, jobs) });
  return (
    <div className="flex flex-col gap-8">
      <section aria-labelledby="cron-jobs" className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <h2 id="cron-jobs" className="font-semibold text-lg">
            Cron jobs
          </h2>
          <Actions projectId={projectId} onOpen={setOpened} />
        </div>
        <DataList
          label="Cron jobs"
          columns={jobColumns({ onEdit: (job) => setOpened({ kind: 'job', job }), onRun: showRun })}
          rows={jobs}
          empty={<NoJobs projectId={projectId} onCreate={() => setOpened({ kind: 'job', job: undefined })} />}
        />
      </section>
      <RunList projectId={projectId} jobs={jobs} titleOf={(run) => titleOf(run, jobs)} onShow={showRun} />
      {opened?.kind === 'job' && <JobDialog projectId={projectId} job={opened.job} onClose={close} />}
      {opened?.kind === 'command' && (
        <CommandDialog projectId={projectId} onClose={close} onStarted={showRun} />
      )}
      {opened?.kind === 'run' && (
        <RunDialog key={opened.runId} runId={opened.runId} title={opened.title} onClose={close} />
      )}
    </div>
  );
}

function Actions({ projectId, onOpen }: { projectId: string; onOpen: (opened: Opened) => void }) {
  const run = useRunButton(projectId);
  return (
    <div className="flex flex-wrap gap-2">
      <Link to="/projects/$projectId/terminal" params={{ projectId }} className={buttonStyles()}>
        <SquareTerminal aria-hidden="true" />
        Terminal
      </Link>
      <Button {...run} onClick={() => onOpen({ kind: 'command' })}>
        <Play aria-hidden="true" />
        Run a command
      </Button>
      <Button {...run} variant="primary" onClick={() => onOpen({ kind: 'job', job: undefined })}>
        <Plus aria-hidden="true" />
        New cron job
      </Button>
    </div>
  );
}

function NoJobs({ projectId, onCreate }: { projectId: string; onCreate: () => void }) {
  const run = useRunButton(projectId);
  return (
    <EmptyState
      icon={CalendarClock}
      title="No cron jobs yet"
      description="Run a command in your app's environment on a schedule: send emails, clean up, make backups."
      action={
        <Button {...run} onClick={onCreate}>
          Create a cron job
        </Button>
      }
    />
  );
}

/** What a run is called: its job's name, or the command. */
function titleOf({ jobId, command }: AppRun, jobs: readonly CronJob[]): string {
  return jobs.find(({ id }) => id === jobId)?.name ?? command;
}
