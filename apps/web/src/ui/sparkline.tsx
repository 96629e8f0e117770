import { linePaths } from './line-path.ts';

export interface SparklineProps {
  /** Oldest first; null where there is none. */
  values: readonly (number | null)[];
  /** What it shows, for who can't see it. */
  label: string;
  /** CSS colour. */
  color: string;
}

const WIDTH = 120;
const HEIGHT = 28;

/** A small line without axes: how something went, not how much it was. */
export function Sparkline({ values, label, color }: SparklineProps) {
  const top = Math.max(1e-9, ...values.map((value) => value ?? 0));
  const { lines, areas } = linePaths(values, { width: WIDTH, height: HEIGHT - 2, top });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 -1 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-7 w-full"
    >
      <path d={areas} fill={color} opacity={0.14} />
      <path d={lines} fill="none" stroke={color} strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
