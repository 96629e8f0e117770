import { createFileRoute } from '@tanstack/react-router';
import { activitySearch } from '../../features/activity/activity-search.ts';
import { LateInstallationActivity } from '../../features/activity/late-installation-activity.tsx';
import { AdminPage } from '../../features/admin/admin-page.tsx';
import { adminSearch } from '../../features/admin/admin-search.ts';
import { useUser } from '../../lib/use-user.ts';
import { AdminOnly } from '../../shell/admin-only.tsx';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TileSkeletons } from '../../ui/tile-skeleton.tsx';

// No loader: nothing of it is fetched for a member.
export const Route = createFileRoute('/_console/admin')({
  validateSearch: (search) => ({ ...activitySearch(search), ...adminSearch(search) }),
  pendingComponent: Outline,
  component: Page,
});

function Page() {
  return (
    <AdminOnly>
      <AdminPage activity={<LateInstallationActivity />} />
    </AdminOnly>
  );
}

/** To others than admins it does not begin to show. */
function Outline() {
  if (useUser().role !== 'admin') return null;
  return (
    <PageSkeleton label="Loading the dashboard" heading={HEADINGS.admin}>
      <TileSkeletons className="grid-cols-2 gap-3 sm:gap-4" />
      <Skeleton className="mt-8 h-10" />
    </PageSkeleton>
  );
}
