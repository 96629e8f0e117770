import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

const ROWS = ['first', 'second', 'third'];

/** Three rows in the shape of `TransactionRow`. */
export function TransactionSkeleton() {
  return (
    <SkeletonGroup label="Loading transactions">
      <div className="divide-y divide-line rounded-xl border border-line bg-surface">
        {ROWS.map((row) => (
          <div key={row} data-testid="skeleton-row" className="flex gap-4 px-4 py-4">
            <Skeleton className="size-9 rounded-full!" />
            <div className="grow">
              <Skeleton className="h-6 w-3/5" />
              <Skeleton className="mt-1.5 h-4 w-2/5" />
              <Skeleton className="mt-1.5 h-4 w-1/3" />
            </div>
            <Skeleton className="h-6 w-20" />
          </div>
        ))}
      </div>
    </SkeletonGroup>
  );
}
