import type { User } from '@nephos/contracts';
import { DAY } from './durations.ts';

export interface Trial {
  active: boolean;
  /** Rounded up, never negative. */
  daysRemaining: number;
}

/**
 * A person's trial at `now`, in epoch milliseconds. The browser's clock may differ from the server's: on the day after
 * the end it is still the server's word that counts.
 */
export function trialOf(
  { trialActive, trialEndDate }: Pick<User, 'trialActive' | 'trialEndDate'>,
  now: number,
): Trial {
  const days = trialEndDate === null ? -1 : Math.ceil((Date.parse(trialEndDate) - now) / DAY);
  return { active: trialActive && days >= 0, daysRemaining: Math.max(0, days) };
}

/** What is left of the trial, as a sentence. */
export function remainingOf({ daysRemaining }: Trial): string {
  if (daysRemaining === 0) return 'Trial ending soon.';
  return daysRemaining === 1 ? '1 day remaining.' : `${daysRemaining} days remaining.`;
}
