import { createFileRoute } from '@tanstack/react-router';
import { WelcomePage } from '../../features/admin/welcome-page.tsx';
import { AdminOnly } from '../../shell/admin-only.tsx';

export const Route = createFileRoute('/_console/welcome')({ component: Page });

function Page() {
  return (
    <AdminOnly>
      <WelcomePage />
    </AdminOnly>
  );
}
