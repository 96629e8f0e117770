import { TableOrCards } from '../../lib/table-or-cards.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { TableSkeleton } from '../../ui/table-skeleton.tsx';

const LABEL = 'Loading the statement';

const COLUMNS = [
  { heading: 'Date', className: 'h-5 w-36' },
  { heading: 'Kind', className: 'h-6 w-20 rounded-full' },
  { heading: 'Payment', className: 'h-5 w-40' },
  { heading: 'Amount', className: 'h-5 w-20' },
  { heading: 'Balance', className: 'h-5 w-20' },
];

/** Three lines in the shape of those that come. */
export function StatementSkeleton() {
  return (
    <TableOrCards
      table={<TableSkeleton label={LABEL} columns={COLUMNS} />}
      cards={
        <SkeletonGroup label={LABEL}>
          <Skeleton className="h-96 rounded-xl" />
        </SkeletonGroup>
      }
    />
  );
}
