import type { VirtualAccount } from '@nephos/contracts';
import { keepPreviousData } from '@tanstack/react-query';
import { ReceiptText, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { TableOrCards } from '../../lib/table-or-cards.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { StatementCards } from './statement-cards.tsx';
import { StatementFilters } from './statement-filters.tsx';
import { firstLines, type StatementFilter, useStatementFilter } from './statement-search.ts';
import { StatementSkeleton } from './statement-skeleton.tsx';
import { StatementTable } from './statement-table.tsx';

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
        none={narrowed ? <NothingFound onClear={() => change(NO_FILTER)} /> : <NothingYet />}
      />
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More of the statement could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </section>
  );
}

function useStatement({ id }: VirtualAccount, filter: StatementFilter) {
  return trpc.paymentGateway.statement.useInfiniteQuery(firstLines(id, filter), {
    ...KEYSET_PAGES,
    // What was shown stays until what was asked for is there.
    placeholderData: keepPreviousData,
  });
}

interface LinesProps {
  list: ReturnType<typeof useStatement>;
  /** Stands where there are no lines. */
  none: ReactNode;
}

function Lines({ list, none }: LinesProps) {
  if (!list.data) {
    if (list.error) return <LoadFailure query={list} failure="Failed to load the statement" />;
    return <StatementSkeleton />;
  }
  const lines = list.data.pages.flat();
  if (lines.length === 0) return none;
  return (
    <TableOrCards
      className={classNames('transition-opacity', list.isPlaceholderData && 'opacity-55')}
      table={<StatementTable lines={lines} />}
      cards={<StatementCards lines={lines} />}
    />
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

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No lines found"
      description="Nothing in this statement is of this kind and month, with these words."
      action={<Button onClick={onClear}>Show the whole statement</Button>}
    />
  );
}
