import { createFileRoute } from '@tanstack/react-router';
import { AlertsPage } from '../../features/alerts/alerts-page.tsx';
import { alertsSearch } from '../../features/alerts/alerts-search.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/alerts')({
  validateSearch: alertsSearch,
  pendingComponent: () => (
    <PageSkeleton label="Loading alerts" heading={HEADINGS.alerts} bars={['mb-4 h-9 max-w-md', 'h-64']} />
  ),
  component: AlertsPage,
});
