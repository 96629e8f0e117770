import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

/** An image's page in outline. */
export function ImageSkeleton() {
  return (
    <SkeletonGroup label="Loading the image">
      <Skeleton className="mb-3 h-5 w-40" />
      <Skeleton className="h-8 w-72 max-w-full" />
      <Skeleton className="mt-2 h-5 w-96 max-w-full" />
      <Skeleton className="mt-8 h-40" />
      <Skeleton className="mt-8 h-40" />
    </SkeletonGroup>
  );
}
