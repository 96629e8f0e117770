import { DAY, MINUTE } from '../../lib/durations.ts';

/** An ISO instant as a field of date and time takes it, to the second: `2026-11-20T12:30:15`. */
export function localInput(instant: string): string {
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE).toISOString().slice(0, 19);
}

/**
 * The instants, as milliseconds and in order, at which clocks here show what such a field says: none in the hour that is
 * left out when they go forward, two in the hour that comes again when they go back.
 */
export function instantsShowing(text: string): number[] {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return [];
  const wanted = new Date(asUtc).toISOString().slice(0, 19);
  const offsets = [asUtc - DAY, asUtc + DAY].map((time) => new Date(time).getTimezoneOffset());
  return [...new Set(offsets)]
    .map((offset) => asUtc + offset * MINUTE)
    .filter((time) => localInput(new Date(time).toISOString()) === wanted)
    .toSorted((one, other) => one - other);
}

/** How far clocks here are from UTC at an instant in milliseconds: `UTC+02:00`. */
export function offsetAt(time: number): string {
  const ahead = -new Date(time).getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  const padded = [hours, minutes].map((part) => String(part).padStart(2, '0'));
  return `UTC${ahead < 0 ? '-' : '+'}${padded.join(':')}`;
}
