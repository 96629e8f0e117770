import type { FigureRange } from '@nephos/contracts';
import { METRIC_RANGES } from '@nephos/contracts/constants';
import { type MetricsSearch, neighboursOf } from '../observability/metrics-search.ts';

/** Figures of databases are kept by the minute. */
const { kept: KEPT } = METRIC_RANGES['1h'];

/** Which of the ranges of metrics is shown: the hour, where figures do not go back as far. */
export function figureRange({ range = '1h' }: MetricsSearch): FigureRange {
  return range === '90d' ? '1h' : range;
}

/** The spans before and after; null where nothing is kept, or all is to come. */
export function figuresBeside(
  search: MetricsSearch,
  now: number,
): Record<'earlier' | 'later', MetricsSearch | null> {
  const { earlier, later } = neighboursOf({ ...search, range: figureRange(search) }, now);
  const isKept = Date.parse(earlier?.until ?? '') > now - KEPT * 1000;
  return { earlier: isKept ? earlier : null, later };
}
