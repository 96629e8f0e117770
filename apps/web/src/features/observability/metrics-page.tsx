import type { MetricRange, Metrics } from '@nephos/contracts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { trpc } from '../../lib/trpc.ts';
import { useChanges } from '../../lib/use-changes.ts';
import { TimeRangeBar } from '../../shell/time-range-bar.tsx';
import { ChartCard } from '../../ui/chart-card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { chartsOf, labelsOf, spanOf } from './metric-charts.ts';
import { metricsSearch, neighboursOf } from './metrics-search.ts';

const route = getRouteApi('/_console/projects/$projectId/metrics');

const LINK = {
  from: '/projects/$projectId/metrics',
  to: '.',
  replace: true,
  activeOptions: { exact: true },
} as const;

const RANGES = ['1h', '24h', '7d', '90d'] as const satisfies MetricRange[];

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
      <TimeRangeBar
        ranges={RANGES}
        range={range}
        span={{ text: spanOf(metrics), ...neighboursOf(search, Date.now()) }}
        searchOf={(to) => metricsSearch({ range: to })}
        link={(to, look) => <Link {...LINK} search={to} {...look} />}
      />
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

function isEmpty({ points }: Metrics): boolean {
  return points.every(({ requests, memory, disk }) => requests === 0 && memory === null && disk === null);
}
