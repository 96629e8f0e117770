import type { DatabaseFigures } from '@nephos/contracts';
import type { Chart } from '../../ui/chart-card.tsx';
import { ERROR_LOOK, formatBytes, LOOKS, STEPS } from '../observability/metric-charts.ts';

const count = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Everything that is shown of what a database did. */
export function figureCharts({ points, range }: DatabaseFigures): Chart[] {
  const [look] = LOOKS;
  return [
    {
      title: 'Transactions',
      description: `Committed and rolled back ${STEPS[range]}, those of PostgreSQL itself included`,
      format: (value) => count.format(value),
      filled: true,
      series: [
        { name: 'Committed', values: points.map(({ commits }) => commits), ...look },
        { name: 'Rolled back', values: points.map(({ rollbacks }) => rollbacks), ...ERROR_LOOK },
      ],
    },
    {
      title: 'Connections',
      description: 'Clients, at the minute with the most of them',
      format: (value) => count.format(value),
      filled: true,
      series: [{ name: 'Connections', values: points.map(({ connections }) => connections), ...look }],
    },
    {
      title: 'Cache hits',
      description: "Pages found in the server's memory, in percent of those needed",
      format: (value) => `${count.format(value)}%`,
      series: [{ name: 'Cache hits', values: points.map(({ cacheHits }) => cacheHits), ...look }],
    },
    {
      title: 'Size',
      description: 'On disk, with indexes',
      format: formatBytes,
      base: 1024,
      filled: true,
      series: [{ name: 'Size', values: points.map(({ size }) => size), ...look }],
    },
  ];
}
