import type { Factors, RecoveryCodes, TotpSetup } from '@nephos/contracts';
import type { Earlier, Once } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../../core/context.ts';
import { conflict, forbidden, notFound } from '../../../core/errors.ts';
import { lockAccount } from '../../../platform/account-lock.ts';
import { HAS_SECOND_FACTOR } from '../../../platform/factor-demands.ts';
import type { AuthParts } from '../auth.ts';
import { hangUp } from '../end-access.ts';
import { guardGuesses } from './code-limit.ts';
import { listPasskeys } from './passkeys.ts';
import { makeRecoveryCodes, redeemRecoveryCode } from './recovery-codes.ts';
import { makeTotp, redeemTotp } from './totp.ts';

/** What an account has to prove by who its person is. */
export async function readFactors(
  db: Kysely<Database>,
  deps: Pick<AuthParts, 'settings'>,
  userId: string,
): Promise<Omit<Factors, 'demandedBy'>> {
  const row = await db
    .selectFrom('users')
    .where('users.id', '=', userId)
    .select(({ eb, exists, selectFrom, fn }) => [
      eb('users.passwordHash', 'is not', null).$castTo<boolean>().as('passwordSet'),
      exists(
        selectFrom('totpSecrets')
          .select('userId')
          .whereRef('userId', '=', 'users.id')
          .where('confirmedAt', 'is not', null),
      )
        .$castTo<boolean>()
        .as('totp'),
      selectFrom('recoveryCodes')
        .select(fn.countAll<number>().as('codes'))
        .whereRef('userId', '=', 'users.id')
        .$asScalar()
        .$notNull()
        .as('recoveryCodesLeft'),
    ])
    .executeTakeFirstOrThrow();
  return { ...row, passkeys: await listPasskeys(db, deps, userId) };
}

/** Whether a password alone does not let its person in. */
export async function hasSecondFactor(db: Kysely<Database>, userId: string): Promise<boolean> {
  const { found } = await db
    .selectFrom('users')
    .select(HAS_SECOND_FACTOR.as('found'))
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  return found;
}

/**
 * Takes a code of the account's authenticator app or one of its recovery codes, which is used up. Throws 403
 * INVALID_CODE. For use inside of `guardGuesses`.
 */
export async function redeemCode(
  { secrets }: Pick<AuthParts, 'secrets'>,
  trx: Kysely<Database>,
  { userId, code }: { userId: string; code: string },
): Promise<void> {
  const digits = code.replaceAll(/[\s-]/g, '');
  const isRight = /^\d{6}$/.test(digits)
    ? await redeemTotp(trx, secrets, { userId, code: digits, confirmed: true })
    : await redeemRecoveryCode(trx, secrets, { userId, code });
  if (!isRight) throw wrongCode();
}

function wrongCode() {
  return forbidden('INVALID_CODE', 'This code is wrong or was already used. Enter the next one.');
}

/** Throws 409 where an app is set up already. */
export function beginTotp({ secrets, settings }: AuthParts, { db, user }: UserContext): Promise<TotpSetup> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, user.id);
    if ((await readFactors(trx, { settings }, user.id)).totp) {
      throw conflict('ALREADY_SET_UP', 'An authenticator app is already set up. Remove it first.');
    }
    return makeTotp(trx, secrets, user);
  });
}

/** Throws 403 INVALID_CODE, 409 where no app waits to be confirmed, and 429 after five wrong codes in 15 minutes. */
export function confirmTotp(
  deps: AuthParts,
  { user }: UserContext,
  { code, once }: { code: string; once: Once<UserContext> },
): Promise<RecoveryCodes | Earlier<RecoveryCodes>> {
  return guardGuesses(deps, user.id, () => once(({ db }) => confirm(db, deps, { userId: user.id, code })));
}

async function confirm(
  trx: Kysely<Database>,
  { secrets }: Pick<AuthParts, 'secrets'>,
  { userId, code }: { userId: string; code: string },
): Promise<RecoveryCodes> {
  await lockAccount(trx, userId);
  const begun = await trx
    .selectFrom('totpSecrets')
    .select('userId')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is', null)
    .executeTakeFirst();
  if (!begun) throw conflict('NOT_BEGUN', 'There is no authenticator app to confirm. Start again.');
  const given = { userId, code: code.replaceAll(/[\s-]/g, ''), confirmed: false };
  if (!(await redeemTotp(trx, secrets, given))) throw wrongCode();
  return { recoveryCodes: await makeRecoveryCodes(trx, secrets, userId) };
}

/** Throws 404. */
export function removeTotp({ db, user }: UserContext): Promise<{ success: true }> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, user.id);
    const { numDeletedRows } = await trx
      .deleteFrom('totpSecrets')
      .where('userId', '=', user.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
    await leaveFactors(trx, user.id);
    return { success: true };
  });
}

/**
 * Takes from an account the second factors that were set up since an instant, and all recovery codes: nobody knows when
 * these were made.
 */
export async function dropFactorsSince(trx: Kysely<Database>, userId: string, since: string): Promise<void> {
  await trx
    .deleteFrom('totpSecrets')
    .where('userId', '=', userId)
    .where(({ eb, or }) => or([eb('confirmedAt', 'is', null), eb('confirmedAt', '>=', since)]))
    .execute();
  await trx.deleteFrom('passkeys').where('userId', '=', userId).where('createdAt', '>=', since).execute();
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
}

/** Takes every second factor from an account. */
export async function dropFactors(trx: Kysely<Database>, userId: string): Promise<void> {
  for (const table of ['totpSecrets', 'recoveryCodes', 'passkeys'] as const) {
    await trx.deleteFrom(table).where('userId', '=', userId).execute();
  }
}

/** Without a second factor there is nothing to recover, and where one is demanded, what is open is hung up. */
export async function leaveFactors(trx: Kysely<Database>, userId: string): Promise<void> {
  if (await hasSecondFactor(trx, userId)) return;
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  await hangUp(trx, userId);
}

/** Throws 409 without a second factor. */
export function renewRecoveryCodes(
  { secrets }: AuthParts,
  { db, user }: UserContext,
): Promise<RecoveryCodes> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, user.id);
    if (!(await hasSecondFactor(trx, user.id))) {
      throw conflict('NO_SECOND_FACTOR', 'Set up a second factor first.');
    }
    return { recoveryCodes: await makeRecoveryCodes(trx, secrets, user.id) };
  });
}
