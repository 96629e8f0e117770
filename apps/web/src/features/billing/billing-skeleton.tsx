import { Card } from '../../ui/card.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { BillingHeader } from './billing-header.tsx';
import { SummarySkeleton } from './summary-skeleton.tsx';

/** The page in outline: the card of the plan, tiles and charts. */
export function BillingSkeleton() {
  return (
    <>
      <BillingHeader action={<Skeleton className="h-9 w-36" />} />
      <SkeletonGroup label="Loading your subscription">
        <Card className="mb-6 h-44">
          <div className="flex justify-between">
            <Skeleton className="h-6 w-44" />
            <Skeleton className="h-6 w-24 rounded-full" />
          </div>
          <Skeleton className="mt-5 h-5 w-36" />
          <Skeleton className="mt-2 h-5 w-60" />
          <Skeleton className="mt-4 h-5 w-4/5" />
        </Card>
      </SkeletonGroup>
      <SummarySkeleton />
    </>
  );
}
