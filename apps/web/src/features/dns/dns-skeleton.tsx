import { TableOrCards } from '../../lib/table-or-cards.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { TableSkeleton } from '../../ui/table-skeleton.tsx';
import { DnsHeader } from './dns-header.tsx';

const LABEL = 'Loading DNS records';

const COLUMNS = [
  { heading: 'Domain', className: 'h-5 w-28' },
  { heading: 'Type', className: 'h-6 w-14 rounded-full' },
  { heading: 'Name', className: 'h-5 w-16' },
  { heading: 'Value', className: 'h-5 w-40' },
  { heading: 'TTL', className: 'h-5 w-14' },
];

/** The page in its shape: the filter, and three rows or cards. */
export function DnsSkeleton() {
  return (
    <>
      <DnsHeader action={<Skeleton className="h-9 w-32" />} />
      <Skeleton className="mb-4 h-9 w-full sm:w-72" />
      <TableOrCards
        table={<TableSkeleton label={LABEL} columns={COLUMNS} />}
        cards={
          <SkeletonGroup label={LABEL}>
            <div className="flex flex-col gap-3">
              <Skeleton className="h-40 rounded-xl" />
              <Skeleton className="h-40 rounded-xl" />
              <Skeleton className="h-40 rounded-xl" />
            </div>
          </SkeletonGroup>
        }
      />
    </>
  );
}
