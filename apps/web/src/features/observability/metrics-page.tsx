import type { MetricRange, Metrics } from '@nephos/contracts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Activity, ChevronRight } from 'lucide-react';
import { trpc } from '../../lib/trpc.ts';
import { useChanges } from '../../lib/use-changes.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { type ChartSeries, TimeChart } from '../../ui/time-chart.tsx';
import { type Chart, chartsOf, timeLabel } from './metric-charts.ts';

const route = getRouteApi('/_console/projects/$projectId/metrics');

const RANGES: readonly { range: MetricRange; label: string }[] = [
  { range: '1h', label: '1 hour' },
  { range: '24h', label: '24 hours' },
  { range: '7d', label: '7 days' },
  { range: '90d', label: '90 days' },
];

/** What a project's app did and used. */
export function MetricsPage() {
  const { projectId } = route.useParams();
  const { range = '1h' } = route.useSearch();
  const [metrics] = trpc.observability.metrics.useSuspenseQuery({ id: projectId, range });
  const utils = trpc.useUtils();
  useChanges(
    trpc.observability.newMetrics,
    { id: projectId },
    { refetch: () => void utils.observability.metrics.invalidate({ id: projectId }) },
  );
  return (
    <>
      <nav aria-label="Time range" className="mb-5 flex flex-wrap gap-1">
        {RANGES.map((one) => (
          <Link
            key={one.range}
            from={route.id.replace('/_console', '') as '/projects/$projectId/metrics'}
            to="."
            search={{ range: one.range === '1h' ? undefined : one.range }}
            replace
            aria-current={one.range === range ? 'page' : undefined}
            className="inline-flex h-8 items-center rounded-md border border-transparent px-3 font-medium text-muted text-sm transition-colors hover:bg-hover hover:text-fg aria-[current=page]:border-line-strong aria-[current=page]:bg-surface aria-[current=page]:text-fg"
          >
            {one.label}
          </Link>
        ))}
      </nav>
      {isEmpty(metrics) ? (
        <EmptyState
          icon={Activity}
          title="No metrics yet"
          description="Requests, latency, CPU and memory appear here a minute after your app starts."
        />
      ) : (
        <div className="grid gap-4 lg:grid-cols-2">
          {chartsOf(metrics).map((chart) => (
            <ChartCard key={chart.title} chart={chart} metrics={metrics} />
          ))}
        </div>
      )}
    </>
  );
}

function isEmpty({ points }: Metrics): boolean {
  return points.every(({ requests, memory, disk }) => requests === 0 && memory === null && disk === null);
}

function ChartCard({ chart, metrics }: { chart: Chart; metrics: Metrics }) {
  const labels = metrics.points.map(({ at }) => timeLabel(at, metrics.range));
  return (
    <Card className="flex min-w-0 flex-col">
      <CardHeader title={chart.title} description={chart.description} />
      <div className="mt-4">
        <TimeChart {...chart} labels={labels} />
      </div>
      <details className="group mt-3">
        <summary className="flex w-fit cursor-default list-none items-center gap-1.5 rounded-sm text-muted text-sm hover:text-fg [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="size-4 shrink-0 transition-transform group-open:rotate-90"
          />
          {chart.title} as a table
        </summary>
        <div className="mt-3 max-h-72 overflow-y-auto">
          <Numbers title={chart.title} labels={labels} series={chart.series} format={chart.format} />
        </div>
      </details>
    </Card>
  );
}

interface NumbersProps {
  title: string;
  labels: readonly string[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
}

/** The same figures, newest first. */
function Numbers({ title, labels, series, format }: NumbersProps) {
  return (
    <Table label={title}>
      <TableHead>
        <TableHeading>Time</TableHeading>
        {series.map(({ name }) => (
          <TableHeading key={name} className="text-right">
            {name}
          </TableHeading>
        ))}
      </TableHead>
      <TableBody>
        {labels
          .map((_, index) => labels.length - 1 - index)
          .map((place) => (
            <TableRow key={place}>
              <th scope="row" className="h-9 whitespace-nowrap px-4 font-normal">
                {labels[place]}
              </th>
              {series.map(({ name, values }) => {
                const value = values[place] ?? null;
                return (
                  <TableCell key={name} className="h-9! whitespace-nowrap text-right tabular-nums">
                    {value === null ? '–' : format(value)}
                  </TableCell>
                );
              })}
            </TableRow>
          ))}
      </TableBody>
    </Table>
  );
}
