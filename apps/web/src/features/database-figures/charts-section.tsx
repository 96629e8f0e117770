import type { DatabaseFigures, FigureRange } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { MINUTE } from '../../lib/durations.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { TimeRangeBar } from '../../shell/time-range-bar.tsx';
import { ChartCard } from '../../ui/chart-card.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { labelsOf, spanOf } from '../observability/metric-charts.ts';
import { type MetricsSearch, metricsSearch } from '../observability/metrics-search.ts';
import { figureCharts } from './figure-charts.ts';
import { figureRange, figuresBeside } from './figures-search.ts';

const LINK = {
  from: '/databases/$databaseId/figures',
  to: '.',
  replace: true,
  activeOptions: { exact: true },
} as const;

const RANGES = ['1h', '24h', '7d'] as const satisfies FigureRange[];

interface FigureChartsProps {
  id: string;
  search: MetricsSearch;
  /** Whether its server sleeps at times. */
  sleeps: boolean;
}

/** What a database did over time. */
export function FigureCharts({ id, search, sleeps }: FigureChartsProps) {
  const range = figureRange(search);
  const { until } = search;
  const figures = trpc.databaseFigures.figures.useQuery(
    { id, range, until },
    { placeholderData: (before) => before, refetchInterval: until ? false : MINUTE },
  );
  return (
    <section aria-label="Over time">
      <TimeRangeBar
        ranges={RANGES}
        range={range}
        span={figures.data && { text: spanOf(figures.data), ...figuresBeside(search, Date.now()) }}
        searchOf={(to) => metricsSearch({ range: to })}
        link={(to, look) => <Link {...LINK} search={to} {...look} />}
      />
      {figures.error && <LoadFailure query={figures} failure="Failed to load the figures" />}
      {!figures.error && !figures.data && (
        <SkeletonGroup label="Loading the figures">
          <Skeleton className="h-72" />
        </SkeletonGroup>
      )}
      {!figures.error && figures.data && <Charts figures={figures.data} sleeps={sleeps} />}
    </section>
  );
}

function Charts({ figures, sleeps }: { figures: DatabaseFigures; sleeps: boolean }) {
  const labels = labelsOf(figures);
  const isEmpty = figures.points.every(({ connections }) => connections === null);
  return (
    <>
      <p className="mb-4 text-muted text-sm">
        {isEmpty ? 'Nothing was measured in this time. ' : 'Figures come every minute. '}
        {sleeps &&
          (isEmpty ? 'A server that sleeps does nothing.' : 'Where a line breaks off, the server slept.')}
      </p>
      <div className="grid gap-4 lg:grid-cols-2">
        {figureCharts(figures).map((chart) => (
          <ChartCard key={chart.title} chart={chart} labels={labels} />
        ))}
      </div>
    </>
  );
}
