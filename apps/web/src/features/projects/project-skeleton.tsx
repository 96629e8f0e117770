import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

const ROWS = ['first', 'second', 'third'];

/** A project's page in outline: name, state, address, actions, tabs and a table. */
export function ProjectSkeleton() {
  return (
    <SkeletonGroup label="Loading project">
      <Skeleton className="mb-3 h-5 w-28" />
      <div className="mb-6 flex flex-wrap justify-between gap-4">
        <div className="grow">
          <Skeleton className="h-8 w-56" />
          <Skeleton className="mt-2 h-5 w-72 max-w-full" />
          <Skeleton className="mt-3 h-6 w-52" />
        </div>
        <Skeleton className="h-9 w-52" />
      </div>
      <Skeleton className="h-10 w-80 max-w-full" />
      <div className="mt-6 flex flex-col gap-2">
        {ROWS.map((row) => (
          <Skeleton key={row} className="h-14" />
        ))}
      </div>
    </SkeletonGroup>
  );
}
