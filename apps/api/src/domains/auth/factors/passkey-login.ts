import type { PasskeyResponse } from '@nephos/contracts';
import { assertEnabled } from '../accounts.ts';
import type { AuthParts } from '../auth.ts';
import { beginSession } from '../begin-session.ts';
import type { Entry } from '../entrance.ts';
import type { SessionClient } from '../sessions.ts';
import { trialActive, USER_COLUMNS } from '../user-columns.ts';
import { redeemPasskey } from './assertions.ts';
import { type HalfLogin, logInAgain } from './half-login.ts';
import { refusedPasskey } from './relying-party.ts';
import { passwordPrintOf } from './second-step.ts';

/**
 * Begins a session by a passkey: the second factor of who gave the right password, or all there is, which then has to
 * verify its person. Throws 403 PASSKEY_REFUSED, and 400 where the password has been changed since it was given.
 */
export async function logInByPasskey(
  deps: AuthParts,
  { half, response }: { half: HalfLogin | undefined; response: PasskeyResponse },
  client: SessionClient,
): Promise<Entry> {
  return deps.db.transaction().execute(async (trx) => {
    const asked = { purpose: 'login', userId: half?.userId ?? null, response } as const;
    const userId = await redeemPasskey(trx, deps, asked);
    const row = await trx
      .selectFrom('users')
      .select(USER_COLUMNS)
      .select(trialActive)
      .select(['passwordHash', 'disabledAt'])
      .where('id', '=', userId)
      .forShare()
      .executeTakeFirst();
    if (!row) throw refusedPasskey();
    const { passwordHash, disabledAt, ...user } = row;
    if (half && (!passwordHash || passwordPrintOf(deps, passwordHash) !== half.passwordPrint)) {
      throw logInAgain();
    }
    assertEnabled({ disabledAt });
    return beginSession(trx, deps, { user, client });
  });
}
