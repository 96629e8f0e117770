import type { MetricRange } from '@nephos/contracts';
import { createFileRoute } from '@tanstack/react-router';
import { MetricsPage } from '../../features/observability/metrics-page.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

/** Ranges that the address names; an hour where it names none. */
const RANGES: readonly unknown[] = ['24h', '7d', '90d'] satisfies MetricRange[];

export const Route = createFileRoute('/_console/projects/$projectId/metrics')({
  validateSearch: ({ range }: Record<string, unknown>): { range?: MetricRange | undefined } =>
    RANGES.includes(range) ? { range: range as MetricRange } : {},
  loaderDeps: ({ search: { range = '1h' } }) => ({ range }),
  loader: ({ context: { utils }, params: { projectId }, deps: { range } }) =>
    utils.observability.metrics.ensureData({ id: projectId, range }),
  pendingComponent: () => (
    <PageSkeleton label="Loading metrics" bars={['h-8 w-72', 'mt-5 h-72', 'mt-4 h-72']} />
  ),
  component: MetricsPage,
});
