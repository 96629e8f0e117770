import type { CountedStatement, CountedStatements, StatementSort } from '@nephos/contracts';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { AsleepNotice } from './asleep-notice.tsx';

const SORTS: readonly { value: StatementSort; label: string }[] = [
  { value: 'total', label: 'Total time' },
  { value: 'mean', label: 'Mean time' },
  { value: 'longest', label: 'Longest call' },
  { value: 'calls', label: 'Calls' },
  { value: 'rows', label: 'Rows' },
];

/** What takes most of a database's time. */
export function StatementsSection({ id }: { id: string }) {
  const [sort, setSort] = useState<StatementSort>('total');
  const statements = trpc.databaseFigures.statements.useQuery(
    { id, sort },
    { staleTime: 0, placeholderData: (before) => before },
  );
  const found = statements.data;
  return (
    <section aria-label="Slow statements">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div>
          <h2 className="font-semibold">Slow statements</h2>
          {found?.since && (
            <p className="text-muted text-sm">
              Counted since{' '}
              <time dateTime={found.since} title={formatInstant(found.since)}>
                {formatAgo(found.since)}
              </time>
              , without the values in them
            </p>
          )}
        </div>
        {found?.state === 'asked' && (
          <div className="flex flex-wrap items-center gap-2">
            <Select
              aria-label="Sort by"
              value={sort}
              onValueChange={(chosen) => setSort(chosen as StatementSort)}
              options={SORTS}
            />
            <Reset id={id} />
          </div>
        )}
      </div>
      {statements.error && <LoadFailure query={statements} failure="Failed to load the statements" />}
      {!statements.error && !found && (
        <SkeletonGroup label="Loading the statements">
          <Skeleton className="h-40" />
        </SkeletonGroup>
      )}
      {!statements.error && found && <Found id={id} found={found} />}
    </section>
  );
}

function Found({ id, found: { state, statements } }: { id: string; found: CountedStatements }) {
  if (state === 'asleep') return <AsleepNotice id={id} what="Statements are kept while the server sleeps." />;
  if (state === 'shared') {
    return (
      <p className="text-muted">
        Statements aren't counted here, since other databases share this one's server.
      </p>
    );
  }
  if (statements.length === 0) return <p className="text-muted">No statement has run yet.</p>;
  return (
    <Table label="Slow statements">
      <TableHead>
        <TableHeading>Statement</TableHeading>
        {['Calls', 'Total', 'Mean', 'Longest', 'Rows', 'Share'].map((heading) => (
          <TableHeading key={heading} className="text-right">
            {heading}
          </TableHeading>
        ))}
      </TableHead>
      <TableBody>
        {statements.map((statement) => (
          <StatementRow key={statement.id} statement={statement} />
        ))}
      </TableBody>
    </Table>
  );
}

const count = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Milliseconds, in a unit that fits. */
function formatTime(ms: number): string {
  if (ms < 1000) return `${digits.format(ms)} ms`;
  return ms < 60_000 ? `${digits.format(ms / 1000)} s` : `${count.format(ms / 60_000)} min`;
}

function StatementRow({ statement }: { statement: CountedStatement }) {
  const { text, calls, total, mean, longest, rows, share } = statement;
  const figures = [
    ['calls', count.format(calls)],
    ['total', formatTime(total)],
    ['mean', formatTime(mean)],
    ['longest', formatTime(longest)],
    ['rows', count.format(rows)],
    ['share', percent.format(share)],
  ] as const;
  return (
    <TableRow>
      <TableCell className="min-w-72">
        <code className="line-clamp-3 break-words text-sm" title={text}>
          {text}
        </code>
      </TableCell>
      {figures.map(([name, figure]) => (
        <TableCell key={name} className="whitespace-nowrap text-right tabular-nums">
          {figure}
        </TableCell>
      ))}
    </TableRow>
  );
}

function Reset({ id }: { id: string }) {
  const utils = trpc.useUtils();
  const reset = useAction(trpc.databaseFigures.resetStatements.useMutation(), {
    success: 'Statements are counted anew',
    failure: 'Failed to reset the statements',
    serverSpeaks: true,
    refresh: [utils.databaseFigures.statements],
  });
  return (
    <ConfirmDialog
      title="Count statements anew?"
      description="What was counted until now is forgotten. The database itself doesn't change."
      label="Reset"
      action={reset}
      onConfirm={(close) => reset.run({ id }, close)}
      trigger={(open) => (
        <Button onClick={open}>
          <RotateCcw aria-hidden="true" />
          Reset
        </Button>
      )}
    />
  );
}
