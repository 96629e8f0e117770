import type { BillingSummary } from '@nephos/contracts';
import {
  SAMPLE_MONTHLY_COSTS,
  SAMPLE_RESOURCE_USAGE,
  USAGE_TYPES,
  type UsageType,
} from '@nephos/contracts/constants';

const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

interface MonthFigures {
  label: string;
  /** What was charged, in cents. */
  charged: number;
  /** What the metered usage is worth, in cents with fractions. */
  usage: number;
}

/** A sum of six months, what of it is of the running one, and how that differs from the month before. */
export interface Spending {
  /** Cents. */
  currentMonth: number;
  /** Cents. */
  total: number;
  /** Percent; null where there is nothing to compare with. */
  change: number | null;
}

/** What the page says in figures about money: what was charged, and what usage is worth, which is not charged. */
export interface CostFigures {
  /** Whether they are the example's, since there is no history yet. The example has no usage. */
  sample: boolean;
  /** Oldest first, the running month last. */
  months: readonly MonthFigures[];
  charged: Spending;
  usage: Spending;
}

/** A line of the cost trend. */
export interface CostLine {
  key: 'charged' | 'usage';
  name: string;
}

/** What the cost trend shows: of the example, costs alone. */
export function costLines({ sample }: CostFigures): readonly CostLine[] {
  return sample
    ? [{ key: 'charged', name: 'Cost' }]
    : [
        { key: 'charged', name: 'Charged' },
        { key: 'usage', name: 'Metered usage' },
      ];
}

/** `label` of a day, and what each type of resource cost in cents. */
type DayCosts = { label: string } & Readonly<Record<UsageType, number>>;

/** What the chart of resources shows. */
export type UsageFigures =
  | { sample: true; resources: typeof SAMPLE_RESOURCE_USAGE }
  | { sample: false; types: readonly UsageType[]; days: readonly DayCosts[] };

export function costFigures(summary: BillingSummary): CostFigures {
  if (!summary.hasHistory) return sampleCosts();
  const { months, percentChange, totalSpend, usageChange, totalUsage } = summary;
  const current = months.at(-1);
  return {
    sample: false,
    months: months.map(({ month, charged, cost }) => ({ label: formatMonth(month), charged, usage: cost })),
    charged: { currentMonth: current?.charged ?? 0, total: totalSpend, change: percentChange },
    usage: { currentMonth: current?.cost ?? 0, total: totalUsage, change: usageChange },
  };
}

function sampleCosts(): CostFigures {
  const months = SAMPLE_MONTHLY_COSTS.map(({ month, dollars }) => ({
    label: month,
    charged: dollars * 100,
    usage: 0,
  }));
  const [before = 0, currentMonth = 0] = months.slice(-2).map(({ charged }) => charged);
  return {
    sample: true,
    months,
    charged: {
      currentMonth,
      total: months.reduce((sum, { charged }) => sum + charged, 0),
      change: ((currentMonth - before) / before) * 100,
    },
    usage: { currentMonth: 0, total: 0, change: null },
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
