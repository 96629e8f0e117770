import { expect, test } from 'vitest';
import { linePaths, roundTop } from './line-path.ts';

test('a line has a part for each stretch without gaps, and a dash for a value alone', () => {
  const { lines, areas } = linePaths([0, 10, null, 5], { width: 30, height: 10, top: 10 });
  expect(lines).toBe('M0 10L10 0M29 5L30 5');
  expect(areas).toBe('M0 10L0 10L10 0L10 10ZM29 10L29 5L30 5L30 10Z');
  expect(linePaths([null], { width: 10, height: 10, top: 1 })).toEqual({ lines: '', areas: '' });
});

test('an axis ends at a round number', () => {
  expect([0, 0.3, 1, 7, 12, 21, 240, 251].map((value) => roundTop(value))).toEqual([
    1, 0.5, 1, 10, 20, 25, 250, 500,
  ]);
  expect(roundTop(180 * 1024 ** 2, 1024)).toBe(200 * 1024 ** 2);
});
