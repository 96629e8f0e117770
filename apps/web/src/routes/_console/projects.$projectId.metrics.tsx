import { createFileRoute } from '@tanstack/react-router';
import { MetricsPage } from '../../features/observability/metrics-page.tsx';
import { metricsSearch } from '../../features/observability/metrics-search.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/projects/$projectId/metrics')({
  validateSearch: metricsSearch,
  loaderDeps: ({ search: { range = '1h', until } }) => ({ range, until }),
  loader: ({ context: { utils }, params: { projectId }, deps }) =>
    utils.observability.metrics.ensureData({ id: projectId, ...deps }),
  pendingComponent: () => (
    <PageSkeleton label="Loading metrics" bars={['h-8 w-72', 'mt-5 h-72', 'mt-4 h-72']} />
  ),
  component: MetricsPage,
});
