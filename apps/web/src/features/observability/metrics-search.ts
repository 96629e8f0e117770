import type { MetricRange } from '@nephos/contracts';
import { METRIC_RANGES } from '@nephos/contracts/constants';
import { MINUTE } from '../../lib/durations.ts';
import { instantOf } from '../../lib/instant-of.ts';

/** What the address of the Metrics page says; what is left out is undefined: the hour that ends now. */
export interface MetricsSearch {
  range?: MetricRange | undefined;
  /** Where the range ends, as an ISO instant. */
  until?: string | undefined;
}

export function metricsSearch({ range, until }: Record<string, unknown>): MetricsSearch {
  const isRange = typeof range === 'string' && range in METRIC_RANGES && range !== '1h';
  return { range: isRange ? (range as MetricRange) : undefined, until: instantOf(until) };
}

/** The spans before and after one that ends at `until`, or now; null where nothing is kept, or all is to come. */
export function neighboursOf(
  { range = '1h', until }: MetricsSearch,
  now: number,
): Record<'earlier' | 'later', MetricsSearch | null> {
  const { seconds, kept } = METRIC_RANGES[range];
  // Figures come by the minute, and so does what a link leads to.
  const last = Math.floor(now / MINUTE) * MINUTE;
  const end = until === undefined ? last : Math.min(Date.parse(until), last);
  const search = metricsSearch({ range });
  const at = (time: number) => ({ ...search, until: new Date(time).toISOString() });
  const [before, after] = [end - seconds * 1000, end + seconds * 1000];
  return {
    earlier: before > last - kept * 1000 ? at(before) : null,
    later: end === last ? null : after >= last ? search : at(after),
  };
}
