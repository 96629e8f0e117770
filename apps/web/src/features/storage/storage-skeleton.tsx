import { CardGridSkeleton } from '../../ui/card-grid-skeleton.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StorageHeader } from './storage-header.tsx';

/** Three cards in the shape of `FileCard`. */
export function StorageSkeleton() {
  return (
    <>
      <StorageHeader action={<Skeleton className="h-9 w-32" />} />
      <CardGridSkeleton label="Loading files" className="h-48">
        <div className="flex items-center gap-3">
          <Skeleton className="size-9" />
          <Skeleton className="h-6 w-3/5" />
        </div>
        <Skeleton className="mt-5 h-5 w-2/5" />
        <Skeleton className="mt-2 h-5 w-3/5" />
        <Skeleton className="mt-auto h-8 w-28" />
      </CardGridSkeleton>
    </>
  );
}
