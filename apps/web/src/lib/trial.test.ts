import { describe, expect, it } from 'vitest';
import { remainingOf, trialOf } from './trial.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

function trialAt(left: number, trialActive = true) {
  return trialOf({ trialActive, trialEndDate: new Date(NOW + left).toISOString() }, NOW);
}

describe('a trial', () => {
  it.each([
    ['that has just begun', 14 * DAY, 14, '14 days remaining.'],
    ['counts a day that has begun', 13 * DAY + 1, 14, '14 days remaining.'],
    ['of a day and a moment', DAY + 1, 2, '2 days remaining.'],
    ['of a day', DAY, 1, '1 day remaining.'],
    ['of its last moment', 1, 1, '1 day remaining.'],
    ['at its end', 0, 0, 'Trial ending soon.'],
    ['that the server still lets run, by a clock that differs', -HOUR, 0, 'Trial ending soon.'],
  ])('%s', (_, left, daysRemaining, text) => {
    const trial = trialAt(left);
    expect(trial).toEqual({ active: true, daysRemaining });
    expect(Object.is(trial.daysRemaining, -0)).toBe(false);
    expect(remainingOf(trial)).toBe(text);
  });

  it('is over where the server says so, where a day has passed since, and where there was none', () => {
    const over = { active: false, daysRemaining: 0 };
    expect(trialAt(-1, false)).toEqual(over);
    expect(trialAt(-DAY)).toEqual(over);
    expect(trialOf({ trialActive: true, trialEndDate: null }, NOW)).toEqual(over);
  });
});
