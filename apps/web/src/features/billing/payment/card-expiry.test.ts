import { expect, it } from 'vitest';
import { parseExpiry } from './card-expiry.ts';

it.each([
  ['04/30', 4, 2030],
  ['4/30', 4, 2030],
  [' 12 / 34 ', 12, 2034],
  ['12-2034', 12, 2034],
  ['0430', 4, 2030],
])('%s is an expiry', (text, expiryMonth, expiryYear) =>
  expect(parseExpiry(text)).toEqual({ expiryMonth, expiryYear }),
);

it.each(['', '13/30', '00/30', '4', '430', '04/2', '04/1930', 'April 2030'])('%j is none', (text) =>
  expect(parseExpiry(text)).toBeUndefined(),
);
