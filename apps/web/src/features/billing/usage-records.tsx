import { Gauge } from 'lucide-react';
import type { ReactNode } from 'react';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { TableOrCards } from '../../lib/table-or-cards.tsx';
import { trpc } from '../../trpc.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { RecordSkeleton } from './record-skeleton.tsx';
import { Section } from './section.tsx';
import { UsageCards } from './usage-cards.tsx';
import { UsageTable } from './usage-table.tsx';

/** What was measured, resource by resource and hour by hour, newest first. */
export function UsageRecords() {
  const list = trpc.billing.usage.useInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);

  function contents(): ReactNode {
    if (!list.data) {
      return list.error ? (
        <LoadFailure query={list} failure="Failed to load the usage records" />
      ) : (
        <RecordSkeleton label="Loading usage records" />
      );
    }
    const records = list.data.pages.flat();
    if (records.length === 0) return <NoRecords />;
    return <TableOrCards table={<UsageTable records={records} />} cards={<UsageCards records={records} />} />;
  }

  return (
    <Section title="Usage Records" description="What your resources used, measured by the hour.">
      {contents()}
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More usage records could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </Section>
  );
}

function NoRecords() {
  return (
    <EmptyState
      icon={Gauge}
      title="No usage records available yet"
      description="Each hour adds a record for every app, database, file store and registry that you use."
    />
  );
}
