import type { StatementLine, VirtualAccount } from '@nephos/contracts';
import { MAX_SEARCHED_LINES } from '@nephos/contracts/constants';
import { keepPreviousData } from '@tanstack/react-query';
import { ReceiptText, SearchX } from 'lucide-react';
import { formatInstant } from '../../lib/format.ts';
import { nextPages } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { formatCents, formatSigned } from '../../lib/money.ts';
import { trpc } from '../../lib/trpc.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { KIND_NAMES, StatementFilters } from './statement-filters.tsx';
import { firstLines, nextLines, type StatementFilter, useStatementFilter } from './statement-search.ts';

const STOPPED = `Searched ${MAX_SEARCHED_LINES.toLocaleString('en-US')} lines without reaching the oldest. Search older lines, or pick a month to narrow it down.`;
const NO_FILTER = { kind: undefined, month: undefined, q: undefined };

const COLUMNS: readonly Column<StatementLine>[] = [
  {
    heading: 'Date',
    className: 'whitespace-nowrap py-2.5 text-muted',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatInstant(createdAt)}</time>,
    skeleton: 'h-5 w-36',
  },
  {
    heading: 'Kind',
    cell: ({ kind }) => <Badge>{KIND_NAMES[kind]}</Badge>,
    skeleton: 'h-6 w-20 rounded-full',
    card: 'title',
  },
  {
    heading: 'Payment',
    // As wide as what the others leave: a long text is cut off rather than pushing them out.
    className: 'w-full min-w-48 max-w-0 py-2.5',
    cell: (line) => <Payment line={line} />,
    skeleton: 'h-5 w-40',
    card: 'line',
  },
  {
    heading: 'Amount',
    className: 'whitespace-nowrap text-right font-medium',
    cell: ({ amount }) => <span className="break-all font-medium tabular-nums">{formatSigned(amount)}</span>,
    skeleton: 'ml-auto h-5 w-20',
    card: 'aside',
  },
  {
    heading: 'Balance',
    className: 'whitespace-nowrap text-right text-muted',
    cell: ({ balance }) => formatCents(balance),
    skeleton: 'ml-auto h-5 w-20',
  },
];

function Payment({ line: { party, description, reference } }: { line: StatementLine }) {
  const about = description ? `${description} · ${reference}` : reference;
  return (
    <>
      <p className="break-words font-medium in-[td]:truncate" title={party}>
        {party}
      </p>
      <p className="break-words text-faint text-sm in-[td]:truncate" title={about}>
        {about}
      </p>
    </>
  );
}

/** What moved an account's balance, line by line with the balance that it left, and what narrows it. */
export function StatementSection({ account }: { account: VirtualAccount }) {
  const { filter, change } = useStatementFilter();
  const list = useStatement(account, filter);
  const narrowed = Object.values(filter).some((value) => value !== undefined);
  const lines = list.data?.pages.flatMap((page) => page.lines);
  // There are lines that a search has not looked through.
  const stopped = Boolean(list.data?.pages.at(-1)?.stoppedAt);
  return (
    <section aria-labelledby="statement">
      <h2 id="statement" className="mb-3 font-semibold text-lg">
        Statement
      </h2>
      <StatementFilters account={account} filter={filter} onChange={change} />
      <DataList
        label="Statement"
        columns={COLUMNS}
        rows={lines}
        loading="Loading the statement"
        failure={list.isLoadingError && <LoadFailure query={list} failure="Failed to load the statement" />}
        stale={list.isPlaceholderData}
        empty={
          narrowed ? <NothingFound stopped={stopped} onClear={() => change(NO_FILTER)} /> : <NothingYet />
        }
      />
      {stopped && lines?.length !== 0 && (
        <p className="mx-auto mt-8 max-w-md text-balance text-center text-muted">{STOPPED}</p>
      )}
      <MorePages {...nextPages(list, 'transactions')} label={stopped ? 'Search older lines' : undefined} />
    </section>
  );
}

function useStatement({ id }: VirtualAccount, filter: StatementFilter) {
  return trpc.paymentGateway.statement.useInfiniteQuery(firstLines(id, filter), {
    getNextPageParam: nextLines,
    // What was shown stays until what was asked for is there.
    placeholderData: keepPreviousData,
  });
}

function NothingYet() {
  return (
    <EmptyState
      icon={ReceiptText}
      title="No payments yet"
      description="Payments appear here with the balance after each one."
    />
  );
}

interface NothingFoundProps {
  stopped: boolean;
  onClear: () => void;
}

function NothingFound({ stopped, onClear }: NothingFoundProps) {
  return (
    <EmptyState
      icon={SearchX}
      title={stopped ? 'No lines found yet' : 'No lines found'}
      description={stopped ? STOPPED : 'No lines match your search and filters.'}
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  );
}
