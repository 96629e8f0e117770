import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { assertEnabled } from '../accounts.ts';
import type { AuthParts } from '../auth.ts';
import { beginSession } from '../begin-session.ts';
import type { Entry } from '../entrance.ts';
import { recordRefusedLogIn } from '../record-entrance.ts';
import type { SessionClient } from '../sessions.ts';
import { trialActive, USER_COLUMNS } from '../user-columns.ts';
import { guardGuesses } from './code-limit.ts';
import { redeemCode } from './factors.ts';
import { type HalfLogin, logInAgain } from './half-login.ts';
import { tellRefusal } from './tell-refusal.ts';

/** What is kept of a password's hash where only its sameness matters. */
export function passwordPrintOf({ secrets }: Pick<AuthParts, 'secrets'>, passwordHash: string): string {
  return secrets.fingerprint(`password|${passwordHash}`);
}

/** A person who logs in, held with other log-ins, but against a change of the password, which ends all sessions. */
export function holdPerson(trx: Kysely<Database>, userId: string) {
  return trx
    .selectFrom('users')
    .select(USER_COLUMNS)
    .select(trialActive)
    .select(['passwordHash', 'disabledAt'])
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst();
}

/**
 * Begins the session of somebody who gave the right password, by a code of a second factor. Throws 400 where the
 * password has been changed since, 403 INVALID_CODE, and 429 after five wrong codes in 15 minutes.
 */
export async function logInByCode(
  deps: AuthParts,
  { half: { userId, email, passwordPrint }, code }: { half: HalfLogin; code: string },
  client: SessionClient,
): Promise<Entry> {
  const enter = async (trx: Kysely<Database>) => {
    const row = await holdPerson(trx, userId);
    if (!row?.passwordHash || passwordPrintOf(deps, row.passwordHash) !== passwordPrint) throw logInAgain();
    await redeemCode(deps, trx, { userId, code });
    const { passwordHash: _, disabledAt, ...user } = row;
    assertEnabled({ disabledAt });
    return beginSession(trx, deps, { user, client });
  };
  return guardGuesses(deps, userId, () =>
    tellRefusal(
      () => deps.db.transaction().execute(enter),
      () => recordRefusedLogIn(deps.db, { account: { id: userId, email }, client, by: 'code' }),
    ),
  );
}
