import { expect, it } from 'vitest';
import { secondsOf } from './authority-problem.ts';

it('reads how long an authority wants to wait, a month at most', () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  expect(secondsOf('120')).toBe(120);
  expect(Math.abs(secondsOf(inAnHour) - 3600)).toBeLessThan(5);
  expect(secondsOf('999999999')).toBe(31 * 24 * 60 * 60);
  for (const text of ['', 'soon', '-5']) expect(secondsOf(text), text).toBe(0);
});
