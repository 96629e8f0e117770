import { formatRounded } from '../../lib/money.ts';
import { USAGE_NAMES } from '../../lib/usage-units.ts';
import type { CostFigures, UsageFigures } from './figures.ts';

/** A chart's figures as a table: the first column names the row. */
export interface ChartRows {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

export function costTable({ months }: CostFigures): ChartRows {
  return {
    columns: ['Month', 'Cost'],
    rows: months.map(({ label, cents }) => [label, formatRounded(cents)]),
  };
}

/** With a history, the newest day first. */
export function usageTable(usage: UsageFigures): ChartRows {
  if (usage.sample) {
    return {
      columns: ['Resource', 'Usage'],
      rows: usage.resources.map(({ resource, percent }) => [resource, `${percent}%`]),
    };
  }
  const { types, days } = usage;
  return {
    columns: ['Day', ...types.map((type) => USAGE_NAMES[type])],
    rows: days.toReversed().map((day) => [day.label, ...types.map((type) => formatRounded(day[type]))]),
  };
}
