/** Nothing moves, under reduced motion or not: a chart that draws itself only makes one wait. */
export const CHART = {
  responsive: true,
  style: { width: '100%', height: '15rem' },
  margin: { top: 8, right: 12, bottom: 0, left: 0 },
  // The table below the chart is what keyboards and screen readers get.
  accessibilityLayer: false,
} as const;

export const GRID = { stroke: 'var(--line)', vertical: false } as const;

export const AXIS = {
  stroke: 'var(--line-strong)',
  tick: { fill: 'var(--muted)', fontSize: '0.75rem' },
  tickLine: false,
  tickMargin: 8,
} as const;

export const CURSOR = { stroke: 'var(--line-strong)' };

export const TOOLTIP = {
  isAnimationActive: false,
  separator: ': ',
  contentStyle: {
    background: 'var(--raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    color: 'var(--fg)',
    fontVariantNumeric: 'tabular-nums',
  },
  labelStyle: { fontWeight: 500 },
  itemStyle: { color: 'var(--fg)', paddingBlock: 1 },
} as const;

export interface SeriesLook {
  colour: string;
  /** Tells lines apart without their colours; '' is a whole line. */
  dash: string;
}

export const SERIES = [
  { colour: 'var(--chart-1)', dash: '' },
  { colour: 'var(--chart-2)', dash: '6 3' },
  { colour: 'var(--chart-3)', dash: '2 3' },
  { colour: 'var(--chart-4)', dash: '10 3 2 3' },
  { colour: 'var(--chart-5)', dash: '12 4' },
] as const satisfies readonly SeriesLook[];
