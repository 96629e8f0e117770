import { Card } from '../../ui/card.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

const FIELDS = ['first', 'second', 'third'];

/** A card of fields in outline. */
export function FieldsSkeleton() {
  return (
    <SkeletonGroup label="Loading">
      <Card className="flex max-w-2xl flex-col gap-4">
        {FIELDS.map((field) => (
          <div key={field} className="flex flex-col gap-1.5">
            <Skeleton className="h-5 w-24" />
            <Skeleton className="h-9" />
          </div>
        ))}
        <Skeleton className="h-9 w-20" />
      </Card>
    </SkeletonGroup>
  );
}
