import { createFileRoute } from '@tanstack/react-router';
import { UpcomingPage } from '../../shell/upcoming-page.tsx';

export const Route = createFileRoute('/_console/mobile-apps')({ component: Page });

function Page() {
  return <UpcomingPage path="/mobile-apps" />;
}
