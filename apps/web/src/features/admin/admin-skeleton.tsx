import { useUser } from '../../shell/use-user.ts';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { TileSkeleton } from '../../ui/tile-skeleton.tsx';
import { AdminHeader } from './admin-header.tsx';

/** The page in outline, while it is loaded itself; to others than admins it does not begin to show. */
export function AdminSkeleton() {
  if (useUser().role !== 'admin') return null;
  return (
    <>
      <AdminHeader />
      <SkeletonGroup label="Loading the dashboard">
        <div className="grid grid-cols-2 gap-3 sm:gap-4 @4xl/page:grid-cols-4">
          <TileSkeleton />
          <TileSkeleton />
          <TileSkeleton />
          <TileSkeleton />
        </div>
        <Skeleton className="mt-8 h-10" />
      </SkeletonGroup>
    </>
  );
}
