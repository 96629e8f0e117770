import { describe, expect, test } from 'vitest';
import { describeSchedule } from './describe-schedule.ts';
import { nextRuns, readSchedule, turnOf } from './schedule.ts';

const utc = (schedule: string) => ({ schedule, timeZone: 'UTC' });
const berlin = (schedule: string) => ({ schedule, timeZone: 'Europe/Berlin' });

function next(schedule: { schedule: string; timeZone: string }, after: string, count = 3): string[] {
  return nextRuns(schedule, new Date(after), count).map((due) => due.toISOString().slice(0, 16));
}

describe('a schedule over a change of the clocks', () => {
  test('comes due at the end of the hour that is left out, once', () => {
    // 2027-03-28: 02:00 to 03:00 are not there.
    expect(next(berlin('30 2 * * *'), '2027-03-27T00:00Z')).toEqual([
      '2027-03-27T01:30',
      '2027-03-28T01:00',
      '2027-03-29T00:30',
    ]);
  });

  test('comes due once in the hour that there is twice', () => {
    // 2026-10-25: 02:00 to 03:00 are there twice.
    expect(next(berlin('30 2 * * *'), '2026-10-24T00:00Z')).toEqual([
      '2026-10-24T00:30',
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  test('goes on every half an hour through both', () => {
    expect(next(berlin('*/30 * * * *'), '2026-10-25T00:10Z', 4)).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
      '2026-10-25T02:00',
    ]);
    expect(next(berlin('*/30 * * * *'), '2027-03-28T00:20Z')).toEqual([
      '2027-03-28T00:30',
      '2027-03-28T01:00',
      '2027-03-28T01:30',
    ]);
  });
});

test.each([
  ['0 3 * *', 'UTC', 'schedule', /five fields: minute, hour/],
  ['0 0 3 * * *', 'UTC', 'schedule', /five fields/],
  ['@daily', 'UTC', 'schedule', /five fields/],
  ['61 * * * *', 'UTC', 'schedule', "This schedule can't be read: invalid value for minute: 61."],
  ['*/0 * * * *', 'UTC', 'schedule', /can't be read/],
  ['a b c d e', 'UTC', 'schedule', /can't be read/],
  ['0 0 31 2 *', 'UTC', 'schedule', 'This schedule never comes due: there is no such date.'],
  ['0 3 * * *', 'Mars/Base', 'timeZone', /^Mars\/Base is not a known time zone/],
  ['0 3 * * *', '+02:00', 'timeZone', /not a known time zone/],
])('%s in %s is refused at its field', (schedule, timeZone, path, message) => {
  expect(() => readSchedule({ schedule, timeZone })).toThrow(
    expect.objectContaining({
      reason: 'VALIDATION',
      message: expect.stringMatching(message),
      fields: [expect.objectContaining({ path })],
    }),
  );
});

describe('a turn', () => {
  const hourly = utc('0 * * * *');
  const at = (time: string) => new Date(`2026-11-22T${time}Z`);

  test('is on time up to a minute late', () => {
    expect(turnOf(hourly, at('10:00'), at('10:01'))).toEqual({
      onTime: at('10:00'),
      missed: null,
      next: at('11:00'),
    });
    expect(turnOf(hourly, at('10:00'), at('10:01:01'))).toEqual({
      onTime: null,
      missed: { first: at('10:00'), last: at('10:00'), count: 1 },
      next: at('11:00'),
    });
  });

  test('tells what was missed before one that is on time', () => {
    expect(turnOf(hourly, at('08:00'), at('11:00:05'))).toEqual({
      onTime: at('11:00'),
      missed: { first: at('08:00'), last: at('10:00'), count: 3 },
      next: at('12:00'),
    });
  });

  test('counts no more than 1000 missed ones, and knows the last', () => {
    const due = new Date('2026-01-01T00:00:00Z');
    expect(turnOf(utc('* * * * *'), due, at('10:00:30'))).toEqual({
      onTime: at('10:00'),
      missed: { first: due, last: expect.any(Date), count: 1000 },
      next: at('10:01'),
    });
    expect(turnOf(utc('0 0 * * *'), due, at('10:00')).missed).toMatchObject({
      last: at('00:00'),
      count: 326,
    });
  });
});

test.each([
  ['* * * * *', 'Every minute'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['*/7 * * * *', 'Custom schedule'],
  ['0 * * * *', 'Every hour'],
  ['5 * * * *', 'Every hour at minute 5'],
  ['0 */6 * * *', 'Every 6 hours'],
  ['0 3 * * *', 'Every day at 03:00'],
  ['30 9,17 * * *', 'Every day at 09:30 and 17:30'],
  ['0 9 * * 1-5', 'Monday to Friday at 09:00'],
  ['0 9 * * 1', 'Every Monday at 09:00'],
  ['0 9 * * 7', 'Every Sunday at 09:00'],
  ['0 9 * * mon,wed,fri', 'Every Monday, Wednesday and Friday at 09:00'],
  ['0 0 1 * *', 'On day 1 of every month at 00:00'],
  ['0 0 24 12 *', 'Every year on December 24 at 00:00'],
  ['0 0 1 * 1', 'Custom schedule'],
  ['0 9 * * 1-3', 'Custom schedule'],
])('%s is described as: %s', (schedule, words) => {
  expect(describeSchedule(schedule)).toBe(words);
});
