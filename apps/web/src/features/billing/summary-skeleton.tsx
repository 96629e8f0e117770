import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

/** Four tiles and two charts in outline. */
export function SummarySkeleton() {
  return (
    <SkeletonGroup label="Loading your figures">
      <div className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-4">
        <Skeleton className="h-28 rounded-xl" />
        <Skeleton className="h-28 rounded-xl" />
        <Skeleton className="h-28 rounded-xl" />
        <Skeleton className="h-28 rounded-xl" />
      </div>
      <div className="mt-4 grid gap-4 @4xl/page:grid-cols-2">
        <Skeleton className="h-84 rounded-xl" />
        <Skeleton className="h-84 rounded-xl" />
      </div>
    </SkeletonGroup>
  );
}
