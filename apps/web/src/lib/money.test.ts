import { MAX_FUNDS, MAX_SEND } from '@nephos/contracts/constants';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  amountProblem,
  formatCents,
  formatCost,
  formatDollars,
  formatRounded,
  formatSigned,
  parseCents,
} from './money.ts';

describe('cents as dollars', () => {
  it.each([
    [0, '$0.00'],
    [1, '$0.01'],
    [10, '$0.10'],
    [1999, '$19.99'],
    [123_456, '$1,234.56'],
    [-1999, '-$19.99'],
    [MAX_FUNDS, '$99,999,999,999.99'],
    [Number.MAX_SAFE_INTEGER, '$90,071,992,547,409.91'],
  ])('%d is %s', (cents, text) => expect(formatCents(cents)).toBe(text));

  it('says which way they went', () => {
    expect(formatSigned(1999)).toBe('+$19.99');
    expect(formatSigned(-1999)).toBe('-$19.99');
    expect(formatSigned(0)).toBe('$0.00');
  });
});

it.each([
  [0, '$0.00'],
  [29, '$29.00'],
  [29.99, '$29.99'],
  [0.1 + 0.2, '$0.30'],
  [1234.5, '$1,234.50'],
  [0.008, '$0.008'],
  [0.000001, '$0.000001'],
  [0.0000009, '<$0.000001'],
])('%d dollars are %s', (dollars, text) => expect(formatDollars(dollars)).toBe(text));

describe('a cost with fractions of a cent', () => {
  it.each([
    [0, '$0.00'],
    [0.8, '$0.008'],
    [0.003, '$0.00003'],
    [0.0001, '$0.000001'],
    [0.00009, '<$0.000001'],
    [1999.5, '$19.995'],
  ])('%d is %s', (cents, text) => expect(formatCost(cents)).toBe(text));

  it.each([
    [0, '$0.00'],
    [0.3, '<$0.01'],
    [1.4, '$0.01'],
    [1999.6, '$20.00'],
  ])('%d in whole cents is %s', (cents, text) => expect(formatRounded(cents)).toBe(text));
});

describe('a typed amount in cents', () => {
  it.each([
    ['1.15', 115],
    ['0.29', 29],
    ['1.159', 115],
    ['19.99', 1999],
    ['0.0099', 0],
    ['4.35', 435],
    ['10', 1000],
    ['10.5', 1050],
    ['.5', 50],
    ['5.', 500],
    [' 5 ', 500],
    ['007.10', 710],
    ['999999999.99', MAX_SEND],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('%j is %d', (text, cents) => expect(parseCents(text)).toBe(cents));

  it.each(['', ' ', '.', '-1', '+1', '1e5', '1,000', '1,5', '$5', '1.2.3', '0x10', 'NaN', '٣', '1 000'])(
    '%j is none',
    (text) => expect(parseCents(text)).toBeUndefined(),
  );

  it('is none where a number could not hold it', () => {
    expect(parseCents('90071992547409.92')).toBeUndefined();
    expect(parseCents('9'.repeat(400))).toBeUndefined();
  });

  test('whatever is typed after the second decimal is cut off, in decimal', () => {
    const digits = fc.stringMatching(/^\d{0,12}$/);
    fc.assert(
      fc.property(fc.nat({ max: MAX_SEND }), digits, (cents, rest) => {
        const dollars = (BigInt(cents) / 100n).toString();
        const fraction = (BigInt(cents) % 100n).toString().padStart(2, '0');
        expect(parseCents(`${dollars}.${fraction}${rest}`)).toBe(cents);
      }),
    );
  });

  test('what is shown can be typed', () => {
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (cents) => {
        expect(parseCents(formatCents(cents).replaceAll(/[$,]/g, ''))).toBe(cents);
      }),
    );
  });

  test('it never throws, and never is more than was typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String)), (text) => {
        const cents = parseCents(text);
        if (cents === undefined) return;
        expect(Number.isSafeInteger(cents)).toBe(true);
        expect(cents / 100).toBeLessThanOrEqual(Number(text) + Number.EPSILON * Number(text));
      }),
    );
  });
});

it('says which amounts a payment can move', () => {
  const bounds = 'Enter an amount from $0.01 to $999,999,999.99.';
  for (const text of ['', '0', '0.009', '1000000000', 'abc']) expect(amountProblem(text)).toBe(bounds);
  for (const text of ['0.01', '1', '999999999.99', '999999999.999'])
    expect(amountProblem(text)).toBeUndefined();
});
