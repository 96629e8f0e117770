import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { AccountHeader } from './account-header.tsx';

export function AccountSkeleton() {
  return (
    <>
      <AccountHeader />
      <SkeletonGroup label="Loading account">
        <div className="grid max-w-4xl gap-6">
          <Skeleton className="h-64" />
          <Skeleton className="h-72" />
          <Skeleton className="h-32" />
          <Skeleton className="h-40" />
        </div>
      </SkeletonGroup>
    </>
  );
}
