import { DAY } from '../../lib/durations.ts';

/** Days that a token may live. */
const DAYS = ['7', '30', '90', '365'] as const;

export type TokenLife = (typeof DAYS)[number] | 'never';

export const TOKEN_LIVES = [
  ...DAYS.map((value) => ({ value, label: `${value} days` })),
  { value: 'never' as const, label: 'Does not expire' },
];

/** The instant at which a token made now ends; null for one that does not. */
export function expiryOf(life: TokenLife, now = Date.now()): string | null {
  return life === 'never' ? null : new Date(now + Number(life) * DAY).toISOString();
}
