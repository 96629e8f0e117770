import { Card } from '../../ui/card.tsx';
import { FieldSkeletons, Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

/** A card of fields in outline. */
export function FieldsSkeleton() {
  return (
    <SkeletonGroup label="Loading">
      <Card className="flex max-w-2xl flex-col gap-4">
        <FieldSkeletons count={3} />
        <Skeleton className="h-9 w-20" />
      </Card>
    </SkeletonGroup>
  );
}
