import type { UserContext } from '../../core/context.ts';
import { forbidden } from '../../core/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { countCall, forgetCalls } from '../../platform/rate-limit.ts';
import { verifyPassword } from './passwords.ts';

/**
 * Asks who is logged in for the password, so that a session left open is not enough. The result has the stored hash; null
 * where the account has no password, and any is right. Wrong ones count for the account, wherever they come from: five in
 * 15 minutes. `parts` has the database itself, since what a refused call counted must stay counted; for use outside of
 * transactions, each of which would wait for a second connection. Throws 429.
 */
export async function checkPassword(
  parts: Pick<Platform, 'db' | 'settings'>,
  { user }: Pick<UserContext, 'user'>,
  password: string,
): Promise<{ isRight: boolean; passwordHash: string | null }> {
  const { passwordHash } = await parts.db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  if (passwordHash === null) return { isRight: true, passwordHash };
  const key = `own-password:${user.id}`;
  // Counted before it is looked at, so that several at once are no way around.
  await countCall(parts, { key, calls: 5, seconds: 15 * 60 });
  const isRight = await verifyPassword(passwordHash, password);
  if (isRight) await forgetCalls(parts.db, key);
  return { isRight, passwordHash };
}

export function wrongPassword() {
  return forbidden('INVALID_CREDENTIALS', 'Current password is incorrect.');
}
