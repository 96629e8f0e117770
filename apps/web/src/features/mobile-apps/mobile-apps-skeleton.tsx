import { CardGridSkeleton } from '../../ui/card-grid-skeleton.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { MobileAppsHeader } from './mobile-apps-header.tsx';

/** Three cards in the shape of `MobileAppCard`. */
export function MobileAppsSkeleton() {
  return (
    <>
      <MobileAppsHeader action={<Skeleton className="h-9 w-40" />} />
      <CardGridSkeleton label="Loading mobile apps" className="h-54">
        <div className="flex items-center gap-3">
          <Skeleton className="size-9" />
          <div className="grow">
            <Skeleton className="h-5 w-2/5" />
            <Skeleton className="mt-1 h-4 w-3/5" />
          </div>
          <Skeleton className="h-6 w-20 rounded-full" />
        </div>
        <Skeleton className="mt-5 h-5 w-3/5" />
        <Skeleton className="mt-1.5 h-5 w-2/5" />
        <Skeleton className="mt-auto h-8 w-28" />
      </CardGridSkeleton>
    </>
  );
}
