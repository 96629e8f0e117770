import { Card } from '../../../ui/card.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/skeleton.tsx';
import { TileSkeletons } from '../../../ui/tile-skeleton.tsx';

/** Four tiles and two charts in outline. */
export function SummarySkeleton() {
  return (
    <SkeletonGroup label="Loading your figures">
      <TileSkeletons className="gap-4 sm:grid-cols-2" />
      <div className="mt-4 grid gap-4 @4xl/page:grid-cols-2">
        <ChartShape />
        <ChartShape />
      </div>
    </SkeletonGroup>
  );
}

function ChartShape() {
  return (
    <Card className="flex h-96 flex-col">
      <Skeleton className="h-6 w-32" />
      <Skeleton className="mt-2 h-4 w-52" />
      <Skeleton className="mt-5 h-60" />
      <Skeleton className="mt-4 h-4 w-40" />
    </Card>
  );
}
