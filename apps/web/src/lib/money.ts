import { MAX_SEND } from '@nephos/contracts/constants';

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Usage is measured by the hour, so most of it costs less than a cent. */
const FINE_DOLLARS = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 6,
});
/** Dollars; less than that is not shown as a figure. */
const LEAST_COST = 0.000001;

/** Digits with at most one decimal point among, before or after them. */
const AMOUNT = /^(?=\.?\d)(\d*)(?:\.(\d*))?$/;

/** Cents as exact decimal text: -1999 is `-19.99`. */
function decimalOf(cents: number): `${number}` {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const text = `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  // Digits and a point: a numeral.
  return text as `${number}`;
}

/** Whole cents as dollars: 123456 is `$1,234.56`, -1999 is `-$19.99`. */
export function formatCents(cents: number): string {
  return DOLLARS.format(decimalOf(cents));
}

/** Dollars as they are, with their fractions of a cent: 29 is `$29.00`, 0.008 is `$0.008`. */
export function formatDollars(dollars: number): string {
  const tooLittle = dollars > 0 && dollars < LEAST_COST;
  return tooLittle ? `<${FINE_DOLLARS.format(LEAST_COST)}` : FINE_DOLLARS.format(dollars);
}

/** Cents that came (`+$19.99`) or left (`-$19.99`). */
export function formatSigned(cents: number): string {
  return `${cents > 0 ? '+' : ''}${formatCents(cents)}`;
}

/** Cents with their fractions, in dollars: 0.8 is `$0.008`, 0.00001 is `<$0.000001`. */
export function formatCost(cents: number): string {
  return formatDollars(cents / 100);
}

/** Cents with their fractions, in dollars and whole cents: 1999.6 is `$20.00`, 0.3 is `<$0.01`. */
export function formatRounded(cents: number): string {
  return cents > 0 && cents < 1 ? `<${formatCents(1)}` : formatCents(Math.round(cents));
}

/**
 * What was typed as an amount in dollars, in whole cents, rounded down in decimal: `1.15` is 115,
 * `0.29` is 29, `1.159` is 115. Undefined where it is no plain decimal number: signs, exponents and thousands
 * separators are refused, since `1,500` means one and a half to some.
 */
export function parseCents(text: string): number | undefined {
  const match = AMOUNT.exec(text.trim());
  if (!match) return undefined;
  const [, dollars = '', fraction = ''] = match;
  const cents = BigInt(dollars + fraction.padEnd(2, '0').slice(0, 2));
  return cents > Number.MAX_SAFE_INTEGER ? undefined : Number(cents);
}

/** What is wrong with a typed amount, as a sentence; undefined where it is one that a payment can move. */
export function amountProblem(text: string): string | undefined {
  const cents = parseCents(text);
  if (cents !== undefined && cents >= 1 && cents <= MAX_SEND) return undefined;
  return `Enter an amount from ${formatCents(1)} to ${formatCents(MAX_SEND)}.`;
}
