import { CardGridSkeleton } from '../../ui/card-grid-skeleton.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Three cards in the shape of `BeneficiaryCard`. */
export function BeneficiarySkeleton() {
  return (
    <CardGridSkeleton label="Loading beneficiaries" className="h-48">
      <Skeleton className="h-6 w-2/5" />
      <Skeleton className="mt-5 h-5 w-3/5" />
      <Skeleton className="mt-1.5 h-5 w-1/2" />
      <div className="mt-auto flex justify-between">
        <Skeleton className="h-8 w-20" />
        <Skeleton className="h-8 w-24" />
      </div>
    </CardGridSkeleton>
  );
}
