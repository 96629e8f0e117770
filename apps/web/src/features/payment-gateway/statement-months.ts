const NAMES = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Calendar month in UTC of an epoch time in milliseconds, as `2026-11`. */
function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** `2026-11` as `November 2026`. */
export function monthName(month: string): string {
  return NAMES.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** The months of an account's statement, newest first: from that of `since`, an ISO instant, to that of `now`. */
export function monthsBetween(since: string, now: number): string[] {
  const first = monthOf(Date.parse(since));
  // The browser's clock may be behind the server's.
  const date = new Date(Math.max(now, Date.parse(since)));
  date.setUTCDate(1);
  const months: string[] = [];
  for (let month = monthOf(date.getTime()); month >= first; month = monthOf(date.getTime())) {
    months.push(month);
    date.setUTCMonth(date.getUTCMonth() - 1);
  }
  return months;
}
