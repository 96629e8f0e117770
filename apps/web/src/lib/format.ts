import { DAY, HOUR, MINUTE } from './durations.ts';

const UNITS = ['B', 'KB', 'MB', 'GB'] as const;
const BASE = 1024;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const toTheMinute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const shortDate = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', year: 'numeric' });

/** Bytes in the largest fitting unit up to GB, base 1024, two decimals: `1.50 KB`; whole bytes have none: `12 B`. */
export function formatSize(bytes: number): string {
  const exponent =
    bytes < BASE ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(BASE)), UNITS.length - 1);
  const amount = bytes / BASE ** exponent;
  return `${amount.toFixed(exponent === 0 ? 0 : 2)} ${UNITS[exponent]}`;
}

/** How long ago an ISO instant was: `now`, `5 minutes ago`, `yesterday`; the date once it is a week old. */
export function formatAgo(instant: string, now = Date.now()): string {
  const age = now - Date.parse(instant);
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return relative.format(-Math.floor(age / MINUTE), 'minute');
  if (age < DAY) return relative.format(-Math.floor(age / HOUR), 'hour');
  if (age < 7 * DAY) return relative.format(-Math.floor(age / DAY), 'day');
  return shortDate.format(Date.parse(instant));
}

/** Day of an ISO instant where the person is, `Nov 21, 2026`; 'N/A' where there is none. */
export function formatDate(instant: string | null): string {
  return instant ? shortDate.format(Date.parse(instant)) : 'N/A';
}

/** Date and time of an ISO instant where the person is, to the minute. */
export function formatMinute(instant: string): string {
  return toTheMinute.format(Date.parse(instant));
}

/** The same to the second. */
export function formatInstant(instant: string): string {
  return absolute.format(Date.parse(instant));
}

/** Milliseconds as `0.4s`, `12s`, `3m 05s` or `1h 02m`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 1) return `${seconds.toFixed(1)}s`;
  if (seconds < 60) return `${Math.floor(seconds)}s`;
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h ${pad((seconds % 3600) / 60)}m`;
}
