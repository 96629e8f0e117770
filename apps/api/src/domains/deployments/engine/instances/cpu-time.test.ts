import { expect, test } from 'vitest';
import { countCpuTime } from './cpu-time.ts';

test('counts what a run took since its beginning, each time only what came since', () => {
  const since = countCpuTime({ isTakenOver: false });
  expect([300, 450, 450, 20, 50].map(since)).toEqual([300, 150, 0, 0, 30]);
});

test('leaves to an earlier server what that has counted', () => {
  const since = countCpuTime({ isTakenOver: true });
  expect([90_000, 90_150].map(since)).toEqual([0, 150]);
});
