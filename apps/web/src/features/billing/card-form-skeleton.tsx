import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

/** A card form in outline: number, expiry and code, buttons. */
export function CardFormSkeleton() {
  return (
    <SkeletonGroup label="Loading the card form">
      <Skeleton className="h-15" />
      <div className="mt-4 grid grid-cols-2 gap-4">
        <Skeleton className="h-15" />
        <Skeleton className="h-15" />
      </div>
      <Skeleton className="mt-6 ml-auto h-9 w-56" />
    </SkeletonGroup>
  );
}
