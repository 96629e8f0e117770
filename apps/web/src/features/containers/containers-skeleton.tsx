import { Card } from '../../ui/card.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { ContainersHeader } from './containers-header.tsx';

const CARDS = ['first', 'second', 'third'];

/** Three cards in the shape of `ImageCard`. */
export function ContainersSkeleton() {
  return (
    <>
      <ContainersHeader action={<Skeleton className="h-9 w-72" />} />
      <SkeletonGroup label="Loading container images">
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {CARDS.map((card) => (
            <div key={card} data-testid="skeleton-card">
              <Card className="flex h-48 flex-col">
                <Skeleton className="h-6 w-3/5" />
                <Skeleton className="mt-2 h-6 w-20 rounded-full" />
                <Skeleton className="mt-4 h-5 w-2/5" />
                <Skeleton className="mt-2 h-5 w-2/5" />
                <Skeleton className="mt-auto h-8 w-36" />
              </Card>
            </div>
          ))}
        </div>
      </SkeletonGroup>
    </>
  );
}
