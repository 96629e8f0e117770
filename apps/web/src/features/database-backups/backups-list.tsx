import type { DatabaseBackup } from '@nephos/contracts';
import { CircleCheck, CircleX } from 'lucide-react';
import { formatDuration, formatInstant, formatSize } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Proof } from './past-facts.tsx';

const LOOKS = {
  running: { label: 'Running', tone: 'info', icon: <Spinner /> },
  done: { label: 'Done', tone: 'success', icon: <CircleCheck aria-hidden="true" /> },
  failed: { label: 'Failed', tone: 'danger', icon: <CircleX aria-hidden="true" /> },
} as const;

const COLUMNS: readonly Column<DatabaseBackup>[] = [
  {
    heading: 'Started',
    cell: ({ startedAt }) => <time dateTime={startedAt}>{formatInstant(startedAt)}</time>,
    card: 'title',
  },
  {
    heading: 'Status',
    cell: ({ status }) => (
      <Badge tone={LOOKS[status].tone} icon={LOOKS[status].icon}>
        {LOOKS[status].label}
      </Badge>
    ),
    card: 'aside',
  },
  {
    heading: 'Size',
    cell: ({ status, size }) => (status === 'done' ? formatSize(size) : null),
    className: 'tabular-nums',
  },
  {
    heading: 'Took',
    cell: ({ startedAt, endedAt }) =>
      endedAt ? formatDuration(Date.parse(endedAt) - Date.parse(startedAt)) : null,
    className: 'tabular-nums',
  },
  {
    heading: 'Proof',
    cell: ({ error, proof }) => {
      if (error) return <span className="break-words text-danger">{error}</span>;
      return (
        proof && (
          <div>
            Proved <Proof proof={proof} />
          </div>
        )
      );
    },
    className: 'w-1/3',
    card: 'line',
  },
];

/** Each backup that is kept, newest first. */
export function BackupsList({ backups }: { backups: readonly DatabaseBackup[] }) {
  return <DataList label="Backups" columns={COLUMNS} rows={backups} />;
}
