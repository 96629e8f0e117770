import { lazy, Suspense } from 'react';
import { LoadFailure } from '../../../lib/load-failure.tsx';
import { trpc } from '../../../lib/trpc.ts';
import { ChartCard, ChartTable, costTable, usageTable } from './chart-card.tsx';
import { type CostLine, costFigures, costLines, usageFigures } from './figures.ts';
import { SummarySkeleton } from './summary-skeleton.tsx';
import { SummaryTiles } from './summary-tiles.tsx';

/** Apart from the page: what draws is larger than all the rest of it. */
const CostTrend = lazy(() => import('./charts.tsx').then(({ CostTrend }) => ({ default: CostTrend })));

const ResourceUsage = lazy(() =>
  import('./charts.tsx').then(({ ResourceUsage }) => ({ default: ResourceUsage })),
);

/** What the cost trend is about, in a few words. */
function trendOf(lines: readonly CostLine[]): string {
  return lines.length > 1 ? 'Charges and metered usage by month' : 'Cost by month';
}

/** What was charged and what resources use, in figures. Paying for a plan does not wait for it. */
export function SummarySection() {
  const summary = trpc.billing.summary.useQuery();
  if (!summary.data) {
    if (summary.error) return <LoadFailure query={summary} failure="Failed to load your figures" />;
    return <SummarySkeleton />;
  }
  const costs = costFigures(summary.data);
  const lines = costLines(costs);
  const usage = usageFigures(summary.data);
  return (
    <section aria-label="Summary">
      <SummaryTiles summary={summary.data} />
      <div className="mt-4 grid gap-4 @4xl/page:grid-cols-2">
        <ChartCard
          title="Cost Trend"
          description={trendOf(lines)}
          sample={costs.sample}
          table={<ChartTable label="Cost trend by month" {...costTable(costs, lines)} />}
        >
          <Suspense>
            <CostTrend figures={costs} lines={lines} />
          </Suspense>
        </ChartCard>
        <ChartCard
          title="Resource Usage"
          description={usage.sample ? 'How much of each you use' : 'Daily metered usage at the rates below'}
          sample={usage.sample}
          table={<ChartTable label="Resource usage" {...usageTable(usage)} />}
        >
          <Suspense>
            <ResourceUsage figures={usage} />
          </Suspense>
        </ChartCard>
      </div>
    </section>
  );
}
