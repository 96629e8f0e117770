import type { DatabaseFigures, FigureRange } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { MINUTE } from '../../lib/durations.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { PAGE_CHOICE } from '../../shell/page-tabs.tsx';
import { ChartCard } from '../../ui/chart-card.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { type LinkLook, Step } from '../../ui/step.tsx';
import { labelsOf, spanOf } from '../observability/metric-charts.ts';
import { type MetricsSearch, metricsSearch } from '../observability/metrics-search.ts';
import { figureCharts } from './figure-charts.ts';
import { figureRange, figuresBeside } from './figures-search.ts';

const FROM = '/databases/$databaseId/figures';

const RANGES: readonly { range: FigureRange; label: string }[] = [
  { range: '1h', label: '1 hour' },
  { range: '24h', label: '24 hours' },
  { range: '7d', label: '7 days' },
];

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
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
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
        {figures.data && <Span search={search} figures={figures.data} />}
      </div>
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

/** Which time is shown, and the ways to what was before and after. */
function Span({ search, figures }: { search: MetricsSearch; figures: DatabaseFigures }) {
  const { earlier, later } = figuresBeside(search, Date.now());
  const linkTo = (to: MetricsSearch | null) =>
    to && ((look: LinkLook) => <Link from={FROM} to="." search={to} replace {...look} />);
  return (
    <div className="flex items-center gap-1">
      <span className="text-muted text-sm tabular-nums">{spanOf(figures)}</span>
      <Step label="Earlier" icon={ChevronLeft} link={linkTo(earlier)} />
      <Step label="Later" icon={ChevronRight} link={linkTo(later)} />
    </div>
  );
}
