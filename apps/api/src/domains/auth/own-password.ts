import type { UserContext } from '../../core/context.ts';
import { forbidden } from '../../core/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { countCall, forgetCalls } from '../../platform/rate-limit.ts';
import { verifyPassword } from './passwords.ts';

/**
 * Asks who is logged in for the password, so that a session left open is not enough. The result is the stored hash; null
 * where the account has no password. Wrong ones count for the account, wherever they come from: five in 15 minutes.
 * `parts` has the database itself, since what a refused call counted must stay counted. Throws 403 INVALID_CREDENTIALS,
 * and 429.
 */
export async function checkPassword(
  parts: Pick<Platform, 'db' | 'settings'>,
  { user }: Pick<UserContext, 'user'>,
  password: string,
): Promise<string | null> {
  const { passwordHash } = await parts.db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  if (passwordHash === null) return null;
  const key = `own-password:${user.id}`;
  // Counted before it is looked at, so that several at once are no way around.
  await countCall(parts, { key, calls: 5, seconds: 15 * 60 });
  if (!(await verifyPassword(passwordHash, password))) throw wrongPassword();
  await forgetCalls(parts.db, key);
  return passwordHash;
}

export function wrongPassword() {
  return forbidden('INVALID_CREDENTIALS', 'Current password is incorrect.');
}
