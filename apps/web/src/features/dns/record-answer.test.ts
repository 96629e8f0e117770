import { expect, it } from 'vitest';
import { formatMilliseconds } from './record-answer.tsx';

it.each([
  [0, '0.1 ms'],
  [0.43, '0.4 ms'],
  [3, '3 ms'],
  [9.96, '10 ms'],
  [12.4, '12 ms'],
  [1500, '1500 ms'],
])('%d milliseconds read %s', (milliseconds, text) => {
  expect(formatMilliseconds(milliseconds)).toBe(text);
});
