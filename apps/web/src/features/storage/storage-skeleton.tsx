import { Card } from '../../ui/card.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { StorageHeader } from './storage-header.tsx';

const CARDS = ['first', 'second', 'third'];

/** Three cards in the shape of `FileCard`. */
export function StorageSkeleton() {
  return (
    <>
      <StorageHeader action={<Skeleton className="h-9 w-32" />} />
      <SkeletonGroup label="Loading files">
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {CARDS.map((card) => (
            <div key={card} data-testid="skeleton-card">
              <Card className="flex h-48 flex-col">
                <div className="flex items-center gap-3">
                  <Skeleton className="size-9" />
                  <Skeleton className="h-6 w-3/5" />
                </div>
                <Skeleton className="mt-5 h-5 w-2/5" />
                <Skeleton className="mt-2 h-5 w-3/5" />
                <Skeleton className="mt-auto h-8 w-28" />
              </Card>
            </div>
          ))}
        </div>
      </SkeletonGroup>
    </>
  );
}
