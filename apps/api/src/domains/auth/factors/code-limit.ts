import { countCall, forgetCalls } from '../../../platform/rate-limit.ts';
import type { AuthParts } from '../auth.ts';

const GUESSES = 5;
const QUARTER_HOUR = 15 * 60;

/**
 * Counts a guess at an account's codes, or at the password of somebody who is signed in, and forgets those before it
 * where `check` does not throw. It counts for the account whatever the address: who gets here knows the password or has
 * the session. Throws 429 after five in 15 minutes.
 */
export async function guardGuesses(
  deps: Pick<AuthParts, 'db' | 'settings'>,
  userId: string,
  check: () => Promise<void>,
): Promise<void> {
  const key = `proof:${userId}`;
  await countCall(deps, { key, calls: GUESSES, seconds: QUARTER_HOUR });
  await check();
  await forgetCalls(deps.db, key);
}
