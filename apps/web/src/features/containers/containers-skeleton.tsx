import { CardGridSkeleton } from '../../ui/card-grid-skeleton.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ContainersHeader } from './containers-header.tsx';

/** Three cards in the shape of `ImageCard`. */
export function ContainersSkeleton() {
  return (
    <>
      <ContainersHeader action={<Skeleton className="h-9 w-72" />} />
      <CardGridSkeleton label="Loading container images" className="h-48">
        <Skeleton className="h-6 w-3/5" />
        <Skeleton className="mt-2 h-6 w-20 rounded-full" />
        <Skeleton className="mt-4 h-5 w-2/5" />
        <Skeleton className="mt-2 h-5 w-2/5" />
        <Skeleton className="mt-auto h-8 w-36" />
      </CardGridSkeleton>
    </>
  );
}
