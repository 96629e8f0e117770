import type { NewPasskey, Passkey, PasskeyOptions, RecoveryCodes } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { conflict, notFound } from '../../../core/errors.ts';
import { lockAccount } from '../../../platform/account-lock.ts';
import type { AuthParts } from '../auth.ts';
import { leaveFactors, readFactors } from './factors.ts';
import { keepChallenge, takeChallenge } from './passkey-challenges.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { loadWebAuthn, refusedPasskey, relyingParty } from './relying-party.ts';

const NAME = 'Nephos';
const MAX_PASSKEYS = 20;
/** EdDSA, ES256 and RS256 (RFC 9053 §2, RFC 8812 §2): what authenticators have. */
const ALGORITHMS = [-8, -7, -257];

/** An account's passkeys, newest first. */
export async function listPasskeys(
  db: Kysely<Database>,
  { settings }: Pick<AuthParts, 'settings'>,
  userId: string,
): Promise<Passkey[]> {
  const { rpID } = relyingParty(settings);
  return db
    .selectFrom('passkeys')
    .where('userId', '=', userId)
    .select(['id', 'name', 'createdAt', 'lastUsedAt'])
    .select(({ eb }) => eb('rpId', '=', rpID).$castTo<boolean>().as('usable'))
    .orderBy('id', 'desc')
    .execute();
}

/** What a browser is to make a passkey with. */
export async function beginPasskey(
  { settings }: AuthParts,
  { db, user }: UserContext,
): Promise<PasskeyOptions> {
  const present = await db
    .selectFrom('passkeys')
    .select(['credentialId as id', 'transports'])
    .where('userId', '=', user.id)
    .execute();
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: relyingParty(settings).rpID,
    userName: user.email,
    userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    excludeCredentials: present,
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });
  await keepChallenge(db, { challenge: options.challenge, purpose: 'register', userId: user.id });
  return { ...options };
}

/** Keeps what a browser made. Throws 403 PASSKEY_REFUSED, 409 where there are too many or it is there already. */
export async function addPasskey(
  { settings, secrets }: AuthParts,
  { db, user }: UserContext,
  { name, response }: z.output<typeof NewPasskey>,
): Promise<RecoveryCodes> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, user.id);
    const made = await verifyNew(trx, settings, user.id, response);
    const { totp, passkeys, recoveryCodesLeft } = await readFactors(trx, { settings }, user.id);
    if (passkeys.length >= MAX_PASSKEYS) {
      throw conflict('LIMIT', `You can have up to ${MAX_PASSKEYS} passkeys. Remove one first.`);
    }
    const { id, publicKey, counter, transports = [] } = made;
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('passkeys')
      .values({
        ...{ userId: user.id, name, counter, transports },
        ...{ credentialId: id, publicKey: Buffer.from(publicKey), rpId: relyingParty(settings).rpID },
      })
      .onConflict((row) => row.column('credentialId').doNothing())
      .executeTakeFirst();
    if (!numInsertedOrUpdatedRows) throw conflict('ALREADY_EXISTS', 'This passkey was already added.');
    const isFirst = !totp && passkeys.length === 0 && recoveryCodesLeft === 0;
    return { recoveryCodes: isFirst ? await makeRecoveryCodes(trx, secrets, user.id) : [] };
  });
}

async function verifyNew(
  trx: Kysely<Database>,
  settings: AuthParts['settings'],
  userId: string,
  response: z.output<typeof NewPasskey>['response'],
) {
  const challenge = await takeChallenge(trx, { response, purpose: 'register', userId });
  const { rpID, origin } = relyingParty(settings);
  const { verifyRegistrationResponse } = await loadWebAuthn();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      // The contract holds what is read of it here; the library judges the rest.
      response: response as unknown as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: challenge,
      ...{ expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: false },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo) return registrationInfo.credential;
  } catch {
    throw refusedPasskey();
  }
  throw refusedPasskey();
}

/** Throws 404. */
export async function removePasskey({ db, user }: UserContext, id: string): Promise<{ success: true }> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, user.id);
    const { numDeletedRows } = await trx
      .deleteFrom('passkeys')
      .where('userId', '=', user.id)
      .where('id', '=', id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
    await leaveFactors(trx, user.id);
    return { success: true };
  });
}
