import type { AppRun, CronJob } from '@nephos/contracts';
import { History } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select.tsx';
import { durationOf, RunStatusBadge } from './run-status.tsx';

/** Runs that are shown: those that are kept of one job. */
const SHOWN = 100;

export interface RunListProps {
  projectId: string;
  jobs: readonly CronJob[];
  titleOf: (run: AppRun) => string;
  onShow: (run: AppRun) => void;
}

/** What ran, newest first: all of it, one job's, or commands alone. */
export function RunList({ projectId, jobs, titleOf, onShow }: RunListProps) {
  const [choice, setChoice] = useState('all');
  const jobId = jobs.find(({ id }) => id === choice)?.id;
  const { data: runs, isPlaceholderData } = trpc.appRuns.list.useQuery(
    { id: projectId, limit: SHOWN, jobId, kind: choice === 'commands' ? 'command' : undefined },
    { placeholderData: (before) => before },
  );
  return (
    <section aria-labelledby="runs" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="runs" className="font-semibold text-lg">
          History
        </h2>
        <Select
          aria-label="Show runs of"
          className="max-w-56"
          value={choice}
          onValueChange={setChoice}
          options={[
            { value: 'all', label: 'All runs' },
            { value: 'commands', label: 'Commands' },
            ...jobs.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </div>
      <DataList
        label="Runs"
        loading="Loading runs"
        columns={runColumns(titleOf, onShow)}
        rows={runs}
        stale={isPlaceholderData}
        empty={
          <EmptyState
            icon={History}
            title="No runs yet"
            description="Runs of cron jobs and commands appear here with their output."
          />
        }
      />
    </section>
  );
}

function runColumns(
  titleOf: (run: AppRun) => string,
  onShow: (run: AppRun) => void,
): readonly Column<AppRun>[] {
  return [
    {
      heading: 'Run',
      card: 'title',
      cell: (run) => (
        <div className="min-w-0">
          <p className={run.jobId ? 'break-words' : 'break-all font-mono text-sm'}>{titleOf(run)}</p>
          {run.error && <p className="break-words text-muted text-sm">{run.error}</p>}
        </div>
      ),
    },
    { heading: 'Status', card: 'aside', cell: ({ status }) => <RunStatusBadge status={status} /> },
    {
      heading: 'Started',
      className: 'whitespace-nowrap',
      cell: ({ startedAt, scheduledFor, createdAt }) => {
        const at = startedAt ?? scheduledFor ?? createdAt;
        return (
          <time dateTime={at} title={formatInstant(at)} className="text-muted">
            {formatAgo(at)}
          </time>
        );
      },
    },
    {
      heading: 'Duration',
      className: 'whitespace-nowrap',
      cell: (run) => durationOf(run) && <span className="text-muted tabular-nums">{durationOf(run)}</span>,
    },
    {
      heading: 'Output',
      hideHeading: true,
      className: 'text-right',
      card: 'end',
      cell: (run) =>
        run.status !== 'missed' &&
        run.status !== 'skipped' && (
          <Button size="sm" onClick={() => onShow(run)} aria-label={`View output of ${titleOf(run)}`}>
            View output
          </Button>
        ),
    },
  ];
}
