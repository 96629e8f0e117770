import { expect, it } from 'vitest';
import { parseTtl } from './record-problems.ts';

it.each([
  ['3600', 3600],
  [' 60 ', 60],
  ['0', 0],
  ['007', 7],
])('reads %j as seconds', (text, seconds) => {
  expect(parseTtl(text)).toBe(seconds);
});

it.each(['', ' ', '1e3', '3600.0', '3,600', '+60', '-60', '0x10', '60s', '٣', 'Infinity', '9'.repeat(400)])(
  'does not take %j for an integer',
  (text) => {
    expect(parseTtl(text)).toBeUndefined();
  },
);
