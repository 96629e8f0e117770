import { createFileRoute } from '@tanstack/react-router';
import { PageHeader } from '../../ui/page-header.tsx';

export const Route = createFileRoute('/_console/account')({ component: Page });

function Page() {
  return <PageHeader title="Account" description="Your name, your password and where you are signed in." />;
}
