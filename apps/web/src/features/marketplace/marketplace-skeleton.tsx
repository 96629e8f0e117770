import { CardGridSkeleton } from '../../ui/card-grid-skeleton.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { MarketplaceHeader } from './marketplace-header.tsx';

/** Six cards (specification §9) in the shape of `ItemCard`, below what narrows them. */
export function MarketplaceSkeleton() {
  return (
    <>
      <MarketplaceHeader />
      <Skeleton className="mb-6 h-16 rounded-lg max-sm:h-28" />
      <div className="mb-4 flex flex-wrap gap-3">
        <Skeleton className="h-9 grow basis-64" />
        <Skeleton className="h-9 w-full sm:w-56" />
      </div>
      <div className="mb-6 flex h-10.25 gap-4 border-line border-b px-3">
        <Skeleton className="h-5 w-24 self-center" />
        <Skeleton className="h-5 w-36 self-center" />
      </div>
      <CardGridSkeleton label="Loading the marketplace" className="h-56" count={6}>
        <div className="flex gap-3">
          <Skeleton className="size-10 rounded-lg" />
          <div className="grow">
            <Skeleton className="h-5 w-3/5" />
            <Skeleton className="mt-2.5 h-5 w-24 rounded-full" />
          </div>
        </div>
        <Skeleton className="mt-5 h-4 w-full" />
        <Skeleton className="mt-2 h-4 w-2/3" />
        <div className="mt-auto flex items-center justify-between">
          <Skeleton className="h-4 w-20" />
          <Skeleton className="h-8 w-20" />
        </div>
      </CardGridSkeleton>
    </>
  );
}
