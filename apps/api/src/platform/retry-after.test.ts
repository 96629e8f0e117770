import { expect, it } from 'vitest';
import { secondsOfRetryAfter } from './retry-after.ts';

it('reads how long a service wants to wait, a month at most', () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  expect(secondsOfRetryAfter('120')).toBe(120);
  expect(secondsOfRetryAfter('0.3')).toBe(1);
  expect(Math.abs(secondsOfRetryAfter(inAnHour) - 3600)).toBeLessThan(5);
  for (const text of ['999999999', '9'.repeat(400)]) {
    expect(secondsOfRetryAfter(text), text).toBe(31 * 24 * 60 * 60);
  }
  for (const text of [undefined, '', 'soon', '-5']) expect(secondsOfRetryAfter(text), text).toBe(0);
});
