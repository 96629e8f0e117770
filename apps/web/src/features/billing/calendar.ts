const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A calendar month in UTC: `2026-11` is `Nov 2026`. */
export function formatMonth(month: string): string {
  return MONTH.format(Date.parse(`${month}-01`));
}

/** A calendar day in UTC: `2026-11-21` is `Nov 21`. */
export function formatDay(day: string): string {
  return DAY.format(Date.parse(day));
}
