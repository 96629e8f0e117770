import { createFileRoute } from '@tanstack/react-router';
import { AdminPage } from '../../features/admin/admin-page.tsx';
import { adminSearch } from '../../features/admin/admin-search.ts';
import { AdminSkeleton } from '../../features/admin/admin-skeleton.tsx';
import { AdminOnly } from '../../shell/admin-only.tsx';

// No loader: nothing of it is fetched for a member.
export const Route = createFileRoute('/_console/admin')({
  validateSearch: adminSearch,
  pendingComponent: AdminSkeleton,
  component: Page,
});

function Page() {
  return (
    <AdminOnly>
      <AdminPage />
    </AdminOnly>
  );
}
