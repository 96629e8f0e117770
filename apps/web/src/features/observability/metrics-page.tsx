import type { MetricRange, Metrics } from '@nephos/contracts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Activity, ChevronLeft, ChevronRight } from 'lucide-react';
import { trpc } from '../../lib/trpc.ts';
import { useChanges } from '../../lib/use-changes.ts';
import { PAGE_CHOICE } from '../../shell/page-tabs.tsx';
import { ChartCard } from '../../ui/chart-card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type LinkLook, Step } from '../../ui/step.tsx';
import { chartsOf, labelsOf, spanOf } from './metric-charts.ts';
import { type MetricsSearch, metricsSearch, neighboursOf } from './metrics-search.ts';

const route = getRouteApi('/_console/projects/$projectId/metrics');

const FROM = '/projects/$projectId/metrics';

const RANGES: readonly { range: MetricRange; label: string }[] = [
  { range: '1h', label: '1 hour' },
  { range: '24h', label: '24 hours' },
  { range: '7d', label: '7 days' },
  { range: '90d', label: '90 days' },
];

const NONE_YET = {
  title: 'No metrics yet',
  description: 'Requests, latency, CPU and memory appear here a minute after your app starts.',
};
const NONE_THEN = { title: 'No metrics for this time', description: "Your app wasn't running then." };

/** What a project's app did and used. */
export function MetricsPage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const { range = '1h', until } = search;
  const [metrics] = trpc.observability.metrics.useSuspenseQuery({ id: projectId, range, until });
  const utils = trpc.useUtils();
  useChanges(
    trpc.observability.newMetrics,
    { id: projectId },
    { refetch: () => void utils.observability.metrics.invalidate({ id: projectId }) },
  );
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <nav aria-label="Time range" className="flex flex-wrap gap-1">
          {RANGES.map((one) => (
            <Link
              key={one.range}
              from={FROM}
              to="."
              search={metricsSearch({ range: one.range })}
              replace
              activeOptions={{ exact: true }}
              aria-current={one.range === range ? 'page' : undefined}
              className={PAGE_CHOICE}
            >
              {one.label}
            </Link>
          ))}
        </nav>
        <Span search={search} metrics={metrics} />
      </div>
      {isEmpty(metrics) ? (
        <EmptyState icon={Activity} {...(until ? NONE_THEN : NONE_YET)} />
      ) : (
        <div className="grid gap-4 lg:grid-cols-2">
          {chartsOf(metrics).map((chart) => (
            <ChartCard key={chart.title} chart={chart} labels={labelsOf(metrics)} />
          ))}
        </div>
      )}
    </>
  );
}

/** Which time is shown, and the ways to what was before and after. */
function Span({ search, metrics }: { search: MetricsSearch; metrics: Metrics }) {
  const { earlier, later } = neighboursOf(search, Date.now());
  const linkTo = (to: MetricsSearch | null) =>
    to && ((look: LinkLook) => <Link from={FROM} to="." search={to} replace {...look} />);
  return (
    <div className="flex items-center gap-1">
      <span className="text-muted text-sm tabular-nums">{spanOf(metrics)}</span>
      <Step label="Earlier" icon={ChevronLeft} link={linkTo(earlier)} />
      <Step label="Later" icon={ChevronRight} link={linkTo(later)} />
    </div>
  );
}

function isEmpty({ points }: Metrics): boolean {
  return points.every(({ requests, memory, disk }) => requests === 0 && memory === null && disk === null);
}
