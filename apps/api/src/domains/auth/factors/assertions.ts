import type { PasskeyOptions, PasskeyResponse } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { AuthParts } from '../auth.ts';
import { keepChallenge, takeChallenge } from './passkey-challenges.ts';
import { loadWebAuthn, refusedPasskey, relyingParty } from './relying-party.ts';

interface Asked {
  purpose: 'prove' | 'login';
  /** Null: whoever has a passkey here, which then is all that lets them in. */
  userId: string | null;
}

/** What a browser is to use a passkey with. */
export async function askForPasskey(
  db: Kysely<Database>,
  { settings }: Pick<AuthParts, 'settings'>,
  { purpose, userId }: Asked,
): Promise<PasskeyOptions> {
  const { rpID } = relyingParty(settings);
  const allowCredentials = await db
    .selectFrom('passkeys')
    .select(['credentialId as id', 'transports'])
    .where('userId', '=', userId)
    .where('rpId', '=', rpID)
    .execute();
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    ...{ rpID, allowCredentials },
    userVerification: userId === null ? 'required' : 'preferred',
  });
  await keepChallenge(db, { challenge: options.challenge, purpose, userId });
  return { ...options };
}

/**
 * Whose passkey signed what it was asked to, in a transaction: the challenge is used up, and the use noted. Throws 403
 * PASSKEY_REFUSED.
 */
export async function redeemPasskey(
  trx: Kysely<Database>,
  { settings }: Pick<AuthParts, 'settings'>,
  { purpose, userId, response }: Asked & { response: PasskeyResponse },
): Promise<string> {
  const { rpID, origin } = relyingParty(settings);
  const challenge = await takeChallenge(trx, { response, purpose, userId });
  const passkey = await trx
    .selectFrom('passkeys')
    .selectAll()
    .where('credentialId', '=', response.id)
    .where('rpId', '=', rpID)
    .$if(userId !== null, (rows) => rows.where('userId', '=', userId))
    // Two uses at the same time are judged one after the other, by the counter that the first has left.
    .forUpdate()
    .executeTakeFirst();
  if (!passkey) throw refusedPasskey();
  const counter = await verify();
  await trx
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: sql`now()` })
    .where('id', '=', passkey.id)
    .execute();
  return passkey.userId;

  async function verify(): Promise<number> {
    if (!passkey) throw refusedPasskey();
    const { credentialId: id, publicKey, counter, transports } = passkey;
    const { verifyAuthenticationResponse } = await loadWebAuthn();
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        // The contract holds what is read of it here; the library judges the rest.
        response: response as unknown as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
        ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpID },
        credential: { id, publicKey: new Uint8Array(publicKey), counter, transports },
        requireUserVerification: userId === null,
      });
      if (verified) return authenticationInfo.newCounter;
    } catch {
      // A wrong signature, another origin, a counter that went back: none is told from the others.
    }
    throw refusedPasskey();
  }
}
