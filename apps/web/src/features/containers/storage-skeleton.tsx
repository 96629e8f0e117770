import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

/** The page of image storage in outline. */
export function StorageSkeleton() {
  return (
    <SkeletonGroup label="Loading the storage of images">
      <Skeleton className="mb-3 h-5 w-40" />
      <Skeleton className="h-8 w-72 max-w-full" />
      <Skeleton className="mt-2 h-5 w-96 max-w-full" />
      <Skeleton className="mt-8 h-24" />
      <Skeleton className="mt-6 h-32" />
    </SkeletonGroup>
  );
}
