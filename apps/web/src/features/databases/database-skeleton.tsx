import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

/** A database's page in outline: name, facts, actions, connection and usage. */
export function DatabaseSkeleton() {
  return (
    <SkeletonGroup label="Loading the database">
      <Skeleton className="mb-3 h-5 w-40" />
      <div className="mb-6 flex flex-wrap justify-between gap-4">
        <div className="grow">
          <Skeleton className="h-8 w-56" />
          <Skeleton className="mt-2 h-5 w-72 max-w-full" />
        </div>
        <Skeleton className="h-9 w-64" />
      </div>
      <div className="grid items-start gap-6 @4xl/page:grid-cols-[minmax(0,1fr)_22rem]">
        <Skeleton className="h-96 rounded-xl" />
        <Skeleton className="h-48 rounded-xl" />
      </div>
    </SkeletonGroup>
  );
}
