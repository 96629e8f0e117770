/** Seconds: the longest wait that is believed, since the limits of authorities are of weeks. */
const LONGEST_WAIT = 31 * 24 * 60 * 60;

/**
 * Seconds for which a service wants to hear nothing, by its `Retry-After` (RFC 9110 §10.2.3), which some send as a fraction; a
 * month at most, and 0 where it cannot be read.
 */
export function secondsOfRetryAfter(header: unknown): number {
  const text = String(header ?? '');
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_WAIT);
}
