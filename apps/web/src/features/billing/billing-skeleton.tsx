import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { BillingHeader } from './billing-header.tsx';
import { SummarySkeleton } from './summary-skeleton.tsx';

/** The page in outline: the card of the plan, tiles and charts. */
export function BillingSkeleton() {
  return (
    <>
      <BillingHeader action={<Skeleton className="h-9 w-36" />} />
      <SkeletonGroup label="Loading your subscription">
        <Skeleton className="mb-6 h-44 rounded-xl" />
      </SkeletonGroup>
      <SummarySkeleton />
    </>
  );
}
