import { createFileRoute } from '@tanstack/react-router';
import { UpcomingPage } from '../../shell/upcoming-page.tsx';

export const Route = createFileRoute('/_console/billing')({ component: Page });

function Page() {
  return <UpcomingPage path="/billing" />;
}
