/**
 * Whether the system knows a time zone of this name, like `Europe/Berlin`. Offsets, which the platform takes for zones
 * too, know no daylight saving time and are none.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
