import { Earlier } from '@nephos/contracts/implement';
import { countCall, forgetCalls } from '../../../platform/rate-limit.ts';
import type { AuthParts } from '../auth.ts';

const GUESSES = 5;
const QUARTER_HOUR = 15 * 60;

/**
 * Counts a guess at an account's codes, or at the password of somebody who is signed in, and forgets those before it
 * where `check` does not throw. It counts for the account whatever the address: who gets here knows the password or has
 * the session. For use outside of transactions: one that is undone would take the count with it, and one that waits for
 * a connection to count by would hold its own. An answer that was given before is no check. Throws 429 after five in 15
 * minutes.
 */
export async function guardGuesses<T>(
  deps: Pick<AuthParts, 'db' | 'settings'>,
  userId: string,
  check: () => Promise<T>,
): Promise<T> {
  const key = `proof:${userId}`;
  await countCall(deps, { key, calls: GUESSES, seconds: QUARTER_HOUR });
  const result = await check();
  if (!(result instanceof Earlier)) await forgetCalls(deps.db, key);
  return result;
}
