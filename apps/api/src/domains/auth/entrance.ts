import type { Login, Signup, User } from '@nephos/contracts';
import type { z } from 'zod';
import { forbidden } from '../../core/errors.ts';
import { assertEnabled, createAccount, lockAccounts } from './accounts.ts';
import type { AuthParts } from './auth.ts';
import { beginSession } from './begin-session.ts';
import { hasSecondFactor } from './factors/factors.ts';
import type { HalfLogin } from './factors/half-login.ts';
import { holdPerson, passwordPrintOf } from './factors/second-step.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { recordRefusedLogIn } from './record-entrance.ts';
import type { SessionClient } from './sessions.ts';

/** Someone who has just come in. */
export interface Entry {
  user: User;
  /** `Set-Cookie` value of the session that began. */
  setCookie: string;
}

function wrongCredentials() {
  return forbidden('INVALID_CREDENTIALS', 'Incorrect email or password.');
}

/**
 * Begins a session by email and password, or half of one where the account has a second factor. Throws 403
 * INVALID_CREDENTIALS, whichever of the two is wrong, and ACCOUNT_DISABLED to who has both.
 */
export async function logIn(
  deps: AuthParts,
  { email, password }: z.output<typeof Login>,
  client: SessionClient,
): Promise<Entry | HalfLogin> {
  const { db, secrets } = deps;
  const account = await db
    .selectFrom('users')
    .select(['id', 'email', 'passwordHash'])
    .where('email', '=', email)
    .executeTakeFirst();
  const fits = await verifyPassword(account?.passwordHash, password);
  if (!account || !fits) {
    await recordRefusedLogIn(db, { account, client });
    throw wrongCredentials();
  }
  return db.transaction().execute(async (trx) => {
    const found = await holdPerson(trx, account.id);
    if (!found?.passwordHash || found.passwordHash !== account.passwordHash) throw wrongCredentials();
    const { passwordHash, disabledAt, ...user } = found;
    assertEnabled({ disabledAt });
    if (await hasSecondFactor(trx, user.id)) {
      return { userId: user.id, email, passwordPrint: passwordPrintOf({ secrets }, passwordHash) };
    }
    return beginSession(trx, deps, { user, client });
  });
}

/** Makes an account and begins its first session. Throws as `createAccount` does. */
export async function signUp(
  deps: AuthParts,
  { email, password, firstName, lastName, invite }: z.output<typeof Signup>,
  client: SessionClient,
): Promise<Entry> {
  const { db, settings } = deps;
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (trx) => {
    await lockAccounts(trx);
    const account = { email, passwordHash, firstName: firstName || null, lastName: lastName || null };
    const user = await createAccount(trx, account, { settings, invite });
    return beginSession(trx, deps, { user, client, isNew: true });
  });
}
