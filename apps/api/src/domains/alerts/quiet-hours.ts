import type { QuietHours } from '@nephos/contracts';

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Whether a clock there shows a time between both. */
function isWithin({ from, until }: QuietHours, minute: number): boolean {
  const [begin, end] = [minutesOf(from), minutesOf(until)];
  return begin < end ? minute >= begin && minute < end : minute >= begin || minute < end;
}

/**
 * When quiet hours that go on at an instant end; undefined where none do. By the clock that people there look at, minute by
 * minute: a night in which clocks change ends when they show its end.
 */
export function quietUntil(quiet: QuietHours, now: Date): Date | undefined {
  const format = new Intl.DateTimeFormat('en', {
    ...{ timeZone: quiet.timeZone, hourCycle: 'h23' },
    ...{ hour: '2-digit', minute: '2-digit' },
  });
  const isQuiet = (at: number) => isWithin(quiet, minutesOf(format.format(at)));
  if (!isQuiet(now.getTime())) return undefined;
  let at = Math.floor(now.getTime() / MINUTE) * MINUTE;
  // An hour more for the night in which clocks are put back.
  for (let passed = 0; passed <= DAY_MINUTES + 60; passed += 1) {
    at += MINUTE;
    if (!isQuiet(at)) break;
  }
  return new Date(at);
}
