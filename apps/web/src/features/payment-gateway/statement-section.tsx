import type { VirtualAccount } from '@nephos/contracts';
import { MAX_SEARCHED_LINES } from '@nephos/contracts/constants';
import { keepPreviousData } from '@tanstack/react-query';
import { ReceiptText, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { TableOrCards } from '../../lib/table-or-cards.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { StatementCards } from './statement-cards.tsx';
import { StatementFilters } from './statement-filters.tsx';
import { firstLines, nextLines, type StatementFilter, useStatementFilter } from './statement-search.ts';
import { StatementSkeleton } from './statement-skeleton.tsx';
import { StatementTable } from './statement-table.tsx';

const STOPPED = `The search stopped after ${MAX_SEARCHED_LINES.toLocaleString('en-US')} lines, and older ones may match. Go on with those, or choose a month to narrow it.`;
const NO_FILTER = { kind: undefined, month: undefined, q: undefined };

/** What moved an account's balance, line by line, and what narrows it. */
export function StatementSection({ account }: { account: VirtualAccount }) {
  const { filter, change } = useStatementFilter();
  const list = useStatement(account, filter);
  const narrowed = Object.values(filter).some((value) => value !== undefined);
  return (
    <section aria-labelledby="statement" aria-busy={list.isPlaceholderData || undefined}>
      <h2 id="statement" className="mb-3 font-semibold text-lg">
        Statement
      </h2>
      <StatementFilters account={account} filter={filter} onChange={change} />
      <Lines
        list={list}
        none={
          narrowed ? (
            <NothingFound hasStopped={hasStopped(list)} onClear={() => change(NO_FILTER)} />
          ) : (
            <NothingYet />
          )
        }
      />
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More of the statement could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
          {...(hasStopped(list) && { label: 'Search older lines' })}
        />
      )}
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

type Statement = ReturnType<typeof useStatement>;

/** Whether there are lines that a search has not looked through. */
function hasStopped({ data }: Statement): boolean {
  return Boolean(data?.pages.at(-1)?.stoppedAt);
}

interface LinesProps {
  list: Statement;
  /** Stands where there are no lines. */
  none: ReactNode;
}

function Lines({ list, none }: LinesProps) {
  if (!list.data) {
    if (list.error) return <LoadFailure query={list} failure="Failed to load the statement" />;
    return <StatementSkeleton />;
  }
  const lines = list.data.pages.flatMap((page) => page.lines);
  if (lines.length === 0) return none;
  return (
    <>
      <TableOrCards
        className={classNames('transition-opacity', list.isPlaceholderData && 'opacity-55')}
        table={<StatementTable lines={lines} />}
        cards={<StatementCards lines={lines} />}
      />
      {hasStopped(list) && (
        <p className="mx-auto mt-8 max-w-md text-balance text-center text-muted">{STOPPED}</p>
      )}
    </>
  );
}

function NothingYet() {
  return (
    <EmptyState
      icon={ReceiptText}
      title="No money has moved yet"
      description="Each payment adds a line here, with the balance that it left."
    />
  );
}

interface NothingFoundProps {
  hasStopped: boolean;
  onClear: () => void;
}

function NothingFound({ hasStopped, onClear }: NothingFoundProps) {
  return (
    <EmptyState
      icon={SearchX}
      title={hasStopped ? 'No lines found yet' : 'No lines found'}
      description={
        hasStopped ? STOPPED : 'Nothing in this statement is of this kind and month, with these words.'
      }
      action={<Button onClick={onClear}>Show the whole statement</Button>}
    />
  );
}
