import { Card } from './card.tsx';
import { Skeleton } from './skeleton.tsx';

/** In the shape of a `Tile`. */
export function TileSkeleton() {
  return (
    <Card className="h-28 px-5 py-4">
      <Skeleton className="mt-1 h-4 w-28 max-w-full" />
      <Skeleton className="mt-3 h-6 w-24 max-w-full" />
      <Skeleton className="mt-2.5 h-4 w-4/5" />
    </Card>
  );
}
