import { Globe } from 'lucide-react';
import { TableOrCards } from '../../lib/table-or-cards.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { DomainFilter } from './domain-filter.tsx';
import { RecordCards } from './record-cards.tsx';
import { RecordTable } from './record-table.tsx';
import type { useRecords } from './use-records.ts';

export interface RecordSectionProps extends ReturnType<typeof useRecords> {
  domain: string | undefined;
  onDomainChange: (domain: string | undefined) => void;
}

/** The filter and the records that it leaves. */
export function RecordSection({ records, list, changing, domain, onDomainChange }: RecordSectionProps) {
  return (
    <section aria-label="Records" aria-busy={changing || undefined}>
      <DomainFilter domain={domain} onDomainChange={onDomainChange} />
      {records.length === 0 ? (
        <EmptyState
          icon={Globe}
          title="No records in this domain"
          description={<span className="break-all">{domain}</span>}
          action={<Button onClick={() => onDomainChange(undefined)}>Show all domains</Button>}
        />
      ) : (
        <TableOrCards
          className={classNames('transition-opacity', changing && 'opacity-55')}
          table={<RecordTable records={records} />}
          cards={<RecordCards records={records} />}
        />
      )}
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? 'More records could not be loaded.' : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </section>
  );
}
