import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../../shell/admin-only.tsx';
import { UpcomingPage } from '../../shell/upcoming-page.tsx';

export const Route = createFileRoute('/_console/admin')({ component: Page });

function Page() {
  return (
    <AdminOnly>
      <UpcomingPage path="/admin" />
    </AdminOnly>
  );
}
