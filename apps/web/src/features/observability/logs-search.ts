import type { LogFilter, LogLine } from '@nephos/contracts';
import { DAY, HOUR, MINUTE } from '../../lib/durations.ts';
import { instantOf } from '../../lib/instant-of.ts';
import { searchWords } from '../../lib/search-words.ts';

/** How far back a log is shown, by what the address calls it. */
export const TIME_RANGES = {
  '15m': { label: 'Last 15 minutes', ms: 15 * MINUTE },
  '1h': { label: 'Last hour', ms: HOUR },
  '24h': { label: 'Last 24 hours', ms: DAY },
  '7d': { label: 'Last 7 days', ms: 7 * DAY },
} as const;
export type TimeRange = keyof typeof TIME_RANGES;

export const STREAM_NAMES: Record<LogLine['stream'], string> = {
  stdout: 'stdout',
  stderr: 'stderr',
  system: 'System',
};

/** What the address of the Logs page says; what is left out is undefined: everything, followed, not wrapped. */
export interface LogsSearch {
  q?: string | undefined;
  process?: string | undefined;
  instance?: number | undefined;
  stream?: LogLine['stream'] | undefined;
  range?: TimeRange | undefined;
  /** ISO instants, in the place of a range. */
  since?: string | undefined;
  until?: string | undefined;
  follow?: 'off' | undefined;
  wrap?: 'on' | undefined;
}

export function logsSearch(search: Record<string, unknown>): LogsSearch {
  const { process, instance, stream, range } = search;
  return {
    q: searchWords(search.q),
    process: typeof process === 'string' && process !== '' ? process : undefined,
    instance: Number.isInteger(instance) && Number(instance) > 0 ? Number(instance) : undefined,
    stream: stream === 'stdout' || stream === 'stderr' || stream === 'system' ? stream : undefined,
    range: typeof range === 'string' && range in TIME_RANGES ? (range as TimeRange) : undefined,
    since: instantOf(search.since),
    until: instantOf(search.until),
    follow: search.follow === 'off' ? 'off' : undefined,
    wrap: search.wrap === 'on' ? 'on' : undefined,
  };
}

/** What is asked of the server. A range ends now, so what comes belongs to it. */
export function filterOf(search: LogsSearch, now: number): LogFilter {
  const { q, process, instance, stream, range, since, until } = search;
  const from = range ? new Date(now - TIME_RANGES[range].ms).toISOString() : since;
  return {
    ...(q && { search: q }),
    ...(process && { process }),
    ...(instance && { instance }),
    ...(stream && { stream }),
    ...(from && { since: from }),
    ...(until && !range && { until }),
  };
}

/** Whether anything narrows the log. */
export function isNarrowed({ q, process, instance, stream, range, since, until }: LogsSearch): boolean {
  return [q, process, instance, stream, range, since, until].some((value) => value !== undefined);
}
