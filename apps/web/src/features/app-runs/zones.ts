/** Where the person is, as far as their browser says. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Date and time of an instant in a zone: `Nov 23, 2026, 03:00`. */
export function formatInZone(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  }).format(Date.parse(instant));
}

/** Names of time zones, for suggestions; UTC is not among those that the platform lists. */
export function timeZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')];
}
