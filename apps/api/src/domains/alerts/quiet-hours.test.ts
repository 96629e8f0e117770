import { expect, test } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

const night = { from: '22:00', until: '07:00', timeZone: 'Europe/Berlin', urgent: [] };
const endOf = (quiet: typeof night, now: string) => quietUntil(quiet, new Date(now))?.toISOString();

test.each([
  ['before they begin', '2026-11-23T20:59:59Z', undefined],
  ['as they begin', '2026-11-23T21:00:00Z', '2026-11-24T06:00:00.000Z'],
  ['after midnight', '2026-11-24T03:30:30Z', '2026-11-24T06:00:00.000Z'],
  ['as they end', '2026-11-24T06:00:00Z', undefined],
  // Clocks are put forward on March 29 at 02:00, and back on October 25 at 03:00.
  ['in the shorter night', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
  ['in the longer night', '2026-10-24T20:00:00Z', '2026-10-25T06:00:00.000Z'],
])('quiet hours of the night: %s', (_when, now, end) => {
  expect(endOf(night, now)).toBe(end);
});

test('quiet hours by day, and those that end in an hour that there is not', () => {
  const lunch = { ...night, from: '12:00', until: '13:30', timeZone: 'Asia/Kolkata' };
  expect(endOf(lunch, '2026-11-23T06:30:00Z')).toBe('2026-11-23T08:00:00.000Z');
  expect(endOf(lunch, '2026-11-23T08:00:00Z')).toBeUndefined();
  const skipped = { ...night, until: '02:30' };
  expect(endOf(skipped, '2026-03-29T00:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
});
