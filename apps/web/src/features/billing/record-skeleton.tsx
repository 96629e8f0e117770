import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

const ROWS = ['first', 'second', 'third'];

/** Three rows in the shape of the records that come (specification §2). */
export function RecordSkeleton({ label }: { label: string }) {
  return (
    <SkeletonGroup label={label}>
      <div className="divide-y divide-line rounded-xl border border-line bg-surface">
        {ROWS.map((row) => (
          <div key={row} data-testid="skeleton-row" className="flex h-12 items-center gap-6 px-4">
            <Skeleton className="h-5 w-28" />
            <Skeleton className="h-5 w-20" />
            <Skeleton className="ml-auto h-5 w-16" />
          </div>
        ))}
      </div>
    </SkeletonGroup>
  );
}
