import type { PasskeyResponse } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { refusedPasskey } from './relying-party.ts';

const MINUTES = 5;

type Challenge = Database['passkeyChallenges'];

/** Keeps what an authenticator was asked to sign, for five minutes by the database's clock. */
export async function keepChallenge(
  db: Kysely<Database>,
  { challenge, purpose, userId }: Pick<Challenge, 'challenge' | 'purpose' | 'userId'>,
): Promise<void> {
  const expiresAt = sql<string>`now() + make_interval(mins => ${MINUTES})`;
  await db.insertInto('passkeyChallenges').values({ challenge, purpose, userId, expiresAt }).execute();
}

const ClientData = z.object({ challenge: z.string() });

/**
 * The challenge that an authenticator signed, which is used up by that. Throws 403 PASSKEY_REFUSED where it was asked of
 * somebody else, for another purpose, too long ago, or not by us.
 */
export async function takeChallenge(
  db: Kysely<Database>,
  { response, purpose, userId }: { response: PasskeyResponse } & Pick<Challenge, 'purpose' | 'userId'>,
): Promise<string> {
  const challenge = challengeOf(response);
  const taken = await db
    .deleteFrom('passkeyChallenges')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where('userId', 'is not distinct from', userId)
    .where('expiresAt', '>', sql<string>`now()`)
    .returning('challenge')
    .executeTakeFirst();
  if (!taken) throw refusedPasskey();
  return taken.challenge;
}

function challengeOf({ response: { clientDataJSON } }: PasskeyResponse): string {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge;
  } catch {
    throw refusedPasskey();
  }
}

/** Forgets what nobody signed in time. */
export async function sweepChallenges(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('passkeyChallenges').where('expiresAt', '<', sql<string>`now()`).execute();
}
