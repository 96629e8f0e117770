import type { BillingSummary } from '@nephos/contracts';
import {
  SAMPLE_MONTHLY_COSTS,
  SAMPLE_RESOURCE_USAGE,
  USAGE_TYPES,
  type UsageType,
} from '@nephos/contracts/constants';

const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

interface MonthCost {
  label: string;
  /** With fractions. */
  cents: number;
}

/** What the page says in figures about money; those of the sample where there is no history yet. */
export interface CostFigures {
  sample: boolean;
  /** Oldest first, the running month last. */
  months: readonly MonthCost[];
  /** Cents. */
  currentMonth: number;
  totalSpend: number;
  percentChange: number | null;
}

/** `label` of a day, and what each type of resource cost in cents. */
type DayCosts = { label: string } & Readonly<Record<UsageType, number>>;

/** What the chart of resources shows. */
export type UsageFigures =
  | { sample: true; resources: typeof SAMPLE_RESOURCE_USAGE }
  | { sample: false; types: readonly UsageType[]; days: readonly DayCosts[] };

export function costFigures(summary: BillingSummary): CostFigures {
  if (!summary.hasHistory) return sampleCosts();
  const months = summary.months.map(({ month, cost }) => ({ label: formatMonth(month), cents: cost }));
  const { percentChange, totalSpend } = summary;
  return { sample: false, months, currentMonth: months.at(-1)?.cents ?? 0, totalSpend, percentChange };
}

function sampleCosts(): CostFigures {
  const months = SAMPLE_MONTHLY_COSTS.map(({ month, dollars }) => ({ label: month, cents: dollars * 100 }));
  const [before = 0, currentMonth = 0] = months.slice(-2).map(({ cents }) => cents);
  return {
    sample: true,
    months,
    currentMonth,
    totalSpend: months.reduce((sum, { cents }) => sum + cents, 0),
    percentChange: ((currentMonth - before) / before) * 100,
  };
}

/** With a history, only the types that cost something: lines on the axis would hide each other. */
export function usageFigures({ hasHistory, days }: BillingSummary): UsageFigures {
  if (!hasHistory) return { sample: true, resources: SAMPLE_RESOURCE_USAGE };
  return {
    sample: false,
    types: USAGE_TYPES.filter((type) => days.some(({ costs }) => costs[type] > 0)),
    days: days.map(({ day, costs }) => ({ ...costs, label: formatDay(day) })),
  };
}

/** A calendar month in UTC: `2026-11` is `Nov 2026`. */
function formatMonth(month: string): string {
  return MONTH.format(Date.parse(`${month}-01`));
}

/** A calendar day in UTC: `2026-11-21` is `Nov 21`. */
function formatDay(day: string): string {
  return DAY.format(Date.parse(day));
}
