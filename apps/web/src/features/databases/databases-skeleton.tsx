import { CardGridSkeleton } from '../../ui/card-grid-skeleton.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DatabasesHeader } from './databases-header.tsx';

/** Three cards in the shape of `DatabaseCard`. */
export function DatabasesSkeleton() {
  return (
    <>
      <DatabasesHeader action={<Skeleton className="h-9 w-72" />} />
      <CardGridSkeleton label="Loading databases" className="h-56">
        <div className="flex justify-between gap-3">
          <Skeleton className="h-6 w-2/5" />
          <Skeleton className="h-6 w-24 rounded-full" />
        </div>
        <Skeleton className="mt-5 h-5 w-3/5" />
        <Skeleton className="mt-1.5 h-5 w-3/5" />
        <Skeleton className="mt-1.5 h-5 w-3/5" />
        <Skeleton className="mt-auto h-8 w-48" />
      </CardGridSkeleton>
    </>
  );
}
