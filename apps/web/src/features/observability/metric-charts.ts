import type { MetricRange, Metrics } from '@nephos/contracts';
import { formatSize } from '../../lib/format.ts';
import type { Chart } from '../../ui/chart-card.tsx';
import type { ChartSeries } from '../../ui/time-chart.tsx';

/** Looks of lines beside each other, told apart without their colours as well. */
export const LOOKS = [
  { color: 'var(--chart-1)', dash: '' },
  { color: 'var(--chart-2)', dash: '6 3' },
  { color: 'var(--chart-3)', dash: '2 3' },
  { color: 'var(--chart-4)', dash: '10 3 2 3' },
  { color: 'var(--chart-5)', dash: '12 4' },
] as const;
export const ERROR_LOOK = { color: 'var(--danger)', dash: '4 2' } as const;

export const STEPS: Record<MetricRange, string> = {
  '1h': 'per minute',
  '24h': 'per 10 minutes',
  '7d': 'per hour',
  '90d': 'per 12 hours',
};

const count = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const time = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayTime = new Intl.DateTimeFormat('en', {
  ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});

/** What points of a range have in common. */
interface Timed {
  range: MetricRange;
  /** Seconds from one point to the next. */
  step: number;
  points: readonly { at: string }[];
}

/** When each point began, as short as its range allows. */
export function labelsOf({ points, range }: Timed): string[] {
  return points.map(({ at }) => (range === '1h' ? time : dayTime).format(Date.parse(at)));
}

/** From when to when metrics are. */
export function spanOf({ points, step }: Timed): string {
  const [first, last] = [points.at(0), points.at(-1)].map((point) => Date.parse(point?.at ?? ''));
  return first && last ? dayTime.formatRange(first, last + step * 1000) : '';
}

/** Everything that is shown of an app's figures. */
export function chartsOf(metrics: Metrics): Chart[] {
  const { points, range } = metrics;
  const [first, second] = LOOKS;
  return [
    {
      title: 'Requests',
      description: `Requests ${STEPS[range]}, and those answered with 5xx`,
      format: (value) => count.format(value),
      filled: true,
      series: [
        { name: 'Requests', values: points.map(({ requests }) => requests), ...first },
        { name: 'Errors', values: points.map(({ errors }) => errors), ...ERROR_LOOK },
      ],
    },
    {
      title: 'Latency',
      description: 'Time until the response starts: half of the requests, and 99 in 100',
      format: formatLatency,
      series: [
        { name: 'p50', values: points.map(({ p50 }) => p50), ...first },
        { name: 'p99', values: points.map(({ p99 }) => p99), ...second },
      ],
    },
    {
      title: 'CPU',
      description: 'Average, in percent of one core',
      format: (value) => `${count.format(value)}%`,
      filled: true,
      series: usageOf(metrics, 'cpu'),
    },
    {
      title: 'Memory',
      description: 'Average resident memory',
      format: formatBytes,
      base: 1024,
      filled: true,
      series: usageOf(metrics, 'memory'),
    },
    {
      title: 'Disk',
      description: 'The release, its build caches and persistent disks',
      format: formatBytes,
      base: 1024,
      filled: true,
      series: [{ name: 'Disk', values: carried(points.map(({ disk }) => disk)), ...first }],
    },
  ];
}

/** One line of the whole app, and where it has several processes one of each. */
function usageOf({ points, processes }: Metrics, figure: 'cpu' | 'memory'): ChartSeries[] {
  const whole = { name: 'App', values: points.map((point) => point[figure]), ...LOOKS[0] };
  if (processes.length < 2) return [whole];
  const each = processes.slice(0, LOOKS.length - 1).map((process, index) => ({
    name: process.process,
    values: process[figure],
    ...(LOOKS[index + 1] ?? LOOKS[1]),
  }));
  return [whole, ...each];
}

/** A size stays what it was until it is measured again. */
export function carried(values: readonly (number | null)[]): (number | null)[] {
  let last: number | null = null;
  return values.map((value) => {
    last = value ?? last;
    return last;
  });
}

export function formatLatency(ms: number): string {
  return ms < 1000 ? `${count.format(ms)} ms` : `${count.format(ms / 1000)} s`;
}

/** Sizes on an axis have no room for decimals that say nothing. */
export function formatBytes(bytes: number): string {
  return formatSize(Math.round(bytes))
    .replace(/\.00 /, ' ')
    .replace(/(\.\d)0 /, '$1 ');
}
