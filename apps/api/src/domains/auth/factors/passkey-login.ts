import type { PasskeyResponse } from '@nephos/contracts';
import { countCall } from '../../../platform/rate-limit.ts';
import { assertEnabled } from '../accounts.ts';
import type { AuthParts } from '../auth.ts';
import { beginSession } from '../begin-session.ts';
import type { Entry } from '../entrance.ts';
import { guessLimits } from '../login-limits.ts';
import { recordRefusedLogIn } from '../record-entrance.ts';
import type { SessionClient } from '../sessions.ts';
import { redeemPasskey } from './assertions.ts';
import { guardGuesses } from './code-limit.ts';
import { type HalfLogin, logInAgain } from './half-login.ts';
import { refusedPasskey } from './relying-party.ts';
import { holdPerson, passwordPrintOf } from './second-step.ts';
import { tellRefusal } from './tell-refusal.ts';

interface Given {
  half: HalfLogin | undefined;
  response: PasskeyResponse;
}

/**
 * Begins a session by a passkey: the second factor of who gave the right password, or all there is, which then has to
 * verify its person. Refused ones are recorded, and count for the account. Throws 403 PASSKEY_REFUSED, 400 where the
 * password has been changed since it was given, and 429 after five refused ones of an account in 15 minutes.
 */
export async function logInByPasskey(deps: AuthParts, given: Given, client: SessionClient): Promise<Entry> {
  const account = given.half
    ? { id: given.half.userId, email: given.half.email }
    : await ownerOf(deps, given.response);
  const enter = () =>
    tellRefusal(
      () => begin(deps, given, client),
      () => recordRefusedLogIn(deps.db, { account, client, by: 'passkey' }),
    );
  if (account) return guardGuesses(deps, account.id, enter);
  // Nobody's: it counts for the address alone, so that no more of it is recorded than of wrong passwords.
  await countCall(deps, guessLimits('login', client.ip, '').address);
  return enter();
}

function ownerOf(
  { db }: Pick<AuthParts, 'db'>,
  { id }: PasskeyResponse,
): Promise<{ id: string; email: string } | undefined> {
  return db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.userId')
    .select(['users.id', 'users.email'])
    .where('credentialId', '=', id)
    .executeTakeFirst();
}

function begin(deps: AuthParts, { half, response }: Given, client: SessionClient): Promise<Entry> {
  return deps.db.transaction().execute(async (trx) => {
    const asked = { purpose: 'login', userId: half?.userId ?? null, response } as const;
    const userId = await redeemPasskey(trx, deps, asked);
    const row = await holdPerson(trx, userId);
    if (!row) throw refusedPasskey();
    const { passwordHash, disabledAt, ...user } = row;
    if (half && (!passwordHash || passwordPrintOf(deps, passwordHash) !== half.passwordPrint)) {
      throw logInAgain();
    }
    assertEnabled({ disabledAt });
    return beginSession(trx, deps, { user, client });
  });
}
