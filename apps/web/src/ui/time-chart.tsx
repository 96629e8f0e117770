import { type PointerEvent, useState } from 'react';
import { classNames } from './class-names.ts';
import { linePaths, roundTop } from './line-path.ts';

export interface ChartSeries {
  name: string;
  /** One for each label; null where there is none. */
  values: readonly (number | null)[];
  /** CSS colour. */
  color: string;
  /** SVG dashes, which tell lines apart without their colours; '' is a whole line. */
  dash?: string;
}

export interface TimeChartProps {
  /** When each value was, oldest first. */
  labels: readonly string[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
  /** Of bytes, by which their units grow; the axis ends at a round number of them. */
  base?: 1 | 1024;
  /** Whether the area below the first line is filled. */
  filled?: boolean;
}

const WIDTH = 600;
const HEIGHT = 160;
const GRID = [0, 0.5, 1];

/** Lines over time. It is for eyes alone: a table beside it says the same. */
export function TimeChart({ labels, series, format, base = 1, filled = false }: TimeChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const highest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const top = roundTop(highest, base);
  const point = ({ clientX, currentTarget }: PointerEvent<Element>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const place = Math.round(((clientX - left) / width) * (labels.length - 1));
    setAt(Math.max(0, Math.min(labels.length - 1, place)));
  };
  const x = at === null ? 0 : (at / Math.max(1, labels.length - 1)) * WIDTH;
  return (
    <div aria-hidden="true">
      <Legend series={series} at={at} label={at === null ? '' : (labels[at] ?? '')} format={format} />
      <div className="mt-2 flex gap-2">
        <div className="flex h-40 w-16 shrink-0 flex-col justify-between text-right text-faint text-xs leading-none">
          {GRID.toReversed().map((part) => (
            <span key={part}>{format(top * part)}</span>
          ))}
        </div>
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-40 min-w-0 flex-1 touch-pan-y overflow-visible"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setAt(null)}
        >
          {/* Takes the pointer wherever it is. */}
          <rect width={WIDTH} height={HEIGHT} fill="transparent" />
          {GRID.map((part) => (
            <line key={part} x1={0} x2={WIDTH} y1={HEIGHT * part} y2={HEIGHT * part} {...HAIRLINE} />
          ))}
          {series.map((one, index) => (
            <Line key={one.name} series={one} top={top} filled={filled && index === 0} />
          ))}
          {at !== null && <line {...HAIRLINE} x1={x} x2={x} y1={0} y2={HEIGHT} stroke="var(--line-strong)" />}
        </svg>
      </div>
      <div className="mt-1 flex justify-between pl-18 text-faint text-xs">
        <span>{labels[0]}</span>
        <span>{labels.at(-1)}</span>
      </div>
    </div>
  );
}

const HAIRLINE = { stroke: 'var(--line)', strokeWidth: 1, vectorEffect: 'non-scaling-stroke' } as const;

function Line({ series, top, filled }: { series: ChartSeries; top: number; filled: boolean }) {
  const { lines, areas } = linePaths(series.values, { width: WIDTH, height: HEIGHT, top });
  return (
    <>
      {filled && <path d={areas} fill={series.color} opacity={0.14} />}
      <path
        d={lines}
        fill="none"
        stroke={series.color}
        strokeWidth={1.75}
        strokeDasharray={series.dash}
        vectorEffect="non-scaling-stroke"
      />
    </>
  );
}

interface LegendProps extends Pick<TimeChartProps, 'series' | 'format'> {
  at: number | null;
  label: string;
}

/** The names of the lines, and what they are where the pointer is. */
function Legend({ series, at, label, format }: LegendProps) {
  return (
    <div className="flex min-h-5 flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm">
      {series.map(({ name, values, color, dash }) => {
        const value = at === null ? null : (values[at] ?? null);
        return (
          <span key={name} className="inline-flex items-center gap-1.5">
            <svg aria-hidden="true" viewBox="0 0 16 4" className="h-1 w-4">
              <path d="M0 2L16 2" stroke={color} strokeWidth={3} strokeDasharray={dash} />
            </svg>
            {name}
            {at !== null && (
              <strong className="font-medium text-fg">{value === null ? '–' : format(value)}</strong>
            )}
          </span>
        );
      })}
      <span className={classNames('ml-auto text-faint', label === '' && 'invisible')}>{label || '–'}</span>
    </div>
  );
}
