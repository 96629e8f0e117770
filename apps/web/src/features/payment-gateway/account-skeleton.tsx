import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

/** An account's page in outline: name, facts, actions, balance and statement. */
export function AccountSkeleton() {
  return (
    <SkeletonGroup label="Loading the account">
      <Skeleton className="mb-3 h-5 w-40" />
      <div className="mb-6 flex flex-wrap justify-between gap-4">
        <div className="grow">
          <Skeleton className="h-8 w-56" />
          <Skeleton className="mt-2 h-5 w-72 max-w-full" />
        </div>
        <Skeleton className="h-9 w-52" />
      </div>
      <div className="mb-8 grid grid-cols-2 gap-4 max-sm:[&>:first-child]:col-span-2 sm:grid-cols-3">
        <Skeleton className="h-24 rounded-xl" />
        <Skeleton className="h-24 rounded-xl" />
        <Skeleton className="h-24 rounded-xl" />
      </div>
      <Skeleton className="mb-3 h-6 w-28" />
      <Skeleton className="mb-4 h-9" />
      <Skeleton className="h-64 rounded-xl" />
    </SkeletonGroup>
  );
}
