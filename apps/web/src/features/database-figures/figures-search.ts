import type { FigureRange } from '@nephos/contracts';
import { METRIC_RANGES } from '@nephos/contracts/constants';
import { metricsSearch, neighboursOf } from '../observability/metrics-search.ts';

/** What the address of the Figures page says; what is left out is undefined: the hour that ends now. */
export interface FiguresSearch {
  range?: FigureRange | undefined;
  /** Where the range ends, as an ISO instant. */
  until?: string | undefined;
}

/** Figures of databases are kept by the minute. */
const { kept: KEPT } = METRIC_RANGES['1h'];

export function figuresSearch(values: Record<string, unknown>): FiguresSearch {
  const { range, until } = metricsSearch(values);
  return { range: range === '90d' ? undefined : range, until };
}

/** The spans before and after; null where nothing is kept, or all is to come. */
export function figuresBeside(
  search: FiguresSearch,
  now: number,
): Record<'earlier' | 'later', FiguresSearch | null> {
  const { earlier, later } = neighboursOf(search, now);
  const isKept = Date.parse(earlier?.until ?? '') > now - KEPT * 1000;
  return {
    earlier: earlier && isKept ? figuresSearch({ ...earlier }) : null,
    later: later && figuresSearch({ ...later }),
  };
}
