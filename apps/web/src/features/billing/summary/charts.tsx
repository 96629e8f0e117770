import type { ReactNode } from 'react';
import { Area, AreaChart, CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts';
import { formatRounded } from '../../../lib/money.ts';
import { USAGE_NAMES } from '../../../lib/usage-units.ts';
import { AXIS, CHART, CURSOR, GRID, SERIES, type SeriesLook, TOOLTIP } from './chart-styles.ts';
import type { CostFigures, CostLine, UsageFigures } from './figures.ts';

const DOLLARS = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
});

/** An axis of names tells all of them on a phone, the last one within the picture. */
const NAMES = {
  tick: { ...AXIS.tick, fontSize: '0.6875rem' },
  interval: 'preserveStartEnd',
  minTickGap: 2,
  padding: { left: 12, right: 18 },
} as const;

/** An axis of money ticks at whole cents: its labels have two decimals at most, and would repeat for less. */
const CENTS = { width: 56, allowDecimals: false, tickFormatter: tick } as const;

function tick(cents: number): string {
  return DOLLARS.format(cents / 100);
}

/** Without the year, which six months do not need. */
function shortMonth(label: string): string {
  return label.slice(0, 3);
}

interface CostTrendProps {
  figures: CostFigures;
  lines: readonly CostLine[];
}

/** What each month cost: an area for each line. */
export function CostTrend({ figures: { months }, lines }: CostTrendProps) {
  const series = lines.map((line, index) => ({ ...line, ...(SERIES[index] ?? SERIES[0]) }));
  return (
    <ChartFrame
      label="Area chart of what each month cost; the table below has its figures."
      legend={series.length > 1 ? series : []}
    >
      <AreaChart {...CHART} data={[...months]}>
        <CartesianGrid {...GRID} />
        <XAxis {...AXIS} dataKey="label" tickFormatter={shortMonth} />
        <YAxis {...AXIS} {...CENTS} tickCount={6} />
        <Tooltip {...TOOLTIP} cursor={CURSOR} formatter={(cents) => formatRounded(Number(cents))} />
        {series.map(({ key, name, colour, dash }) => (
          <Area
            key={key}
            dataKey={key}
            name={name}
            type="monotone"
            stroke={colour}
            strokeDasharray={dash}
            strokeWidth={2}
            fill={colour}
            fillOpacity={0.16}
            isAnimationActive={false}
          />
        ))}
      </AreaChart>
    </ChartFrame>
  );
}

/** What each type of resource cost by day; of the sample, how much of each is used. */
export function ResourceUsage({ figures }: { figures: UsageFigures }) {
  if (figures.sample) return <SampleUsage resources={figures.resources} />;
  const { types, days } = figures;
  if (types.length === 0) return <NothingMetered />;
  const series = types.map((type, index) => ({ type, ...(SERIES[index] ?? SERIES[0]) }));
  const legend = series.map(({ type, ...look }) => ({ name: USAGE_NAMES[type], ...look }));
  return (
    <ChartFrame
      label="Line chart of the metered usage of each type of resource by day; the table below has its figures."
      legend={legend}
    >
      <LineChart {...CHART} data={[...days]}>
        <CartesianGrid {...GRID} />
        <XAxis {...AXIS} dataKey="label" minTickGap={24} />
        <YAxis {...AXIS} {...CENTS} />
        <Tooltip {...TOOLTIP} cursor={CURSOR} formatter={(cents) => formatRounded(Number(cents))} />
        {series.map(({ type, colour, dash }) => (
          <Line
            key={type}
            dataKey={type}
            name={USAGE_NAMES[type]}
            type="linear"
            stroke={colour}
            strokeDasharray={dash}
            strokeWidth={2}
            dot={false}
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ChartFrame>
  );
}

/** Of somebody who was charged, but has used nothing in these days. */
function NothingMetered() {
  return (
    <p className="flex h-60 items-center justify-center rounded-lg border border-line border-dashed text-muted">
      No usage in the last 30 days
    </p>
  );
}

function SampleUsage({ resources }: { resources: Extract<UsageFigures, { sample: true }>['resources'] }) {
  return (
    <ChartFrame label="Line chart of how much of each resource is used; the table below has its figures.">
      <LineChart {...CHART} data={[...resources]}>
        <CartesianGrid {...GRID} />
        <XAxis {...AXIS} {...NAMES} dataKey="resource" />
        <YAxis {...AXIS} width={48} domain={[0, 100]} tickFormatter={(percent) => `${percent}%`} />
        <Tooltip {...TOOLTIP} cursor={CURSOR} formatter={(percent) => `${percent}%`} />
        <Line
          dataKey="percent"
          name="Usage"
          type="linear"
          stroke={SERIES[0].colour}
          strokeWidth={2}
          dot={{ r: 3, fill: SERIES[0].colour }}
          isAnimationActive={false}
        />
      </LineChart>
    </ChartFrame>
  );
}

interface ChartFrameProps {
  /** What is drawn, in a sentence. */
  label: string;
  /** The lines, where there may be more than one. */
  legend?: readonly (SeriesLook & { name: string })[];
  children: ReactNode;
}

/** A chart as one picture, with the names of its lines. */
function ChartFrame({ label, legend = [], children }: ChartFrameProps) {
  return (
    <>
      <div role="img" aria-label={label}>
        {children}
      </div>
      {legend.length > 0 && (
        <ul aria-label="Lines" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
          {legend.map(({ name, colour, dash }) => (
            <li key={name} className="flex items-center gap-2">
              <svg aria-hidden="true" viewBox="0 0 24 4" className="h-1 w-6">
                <line x1="0" x2="24" y1="2" y2="2" stroke={colour} strokeWidth="3" strokeDasharray={dash} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
