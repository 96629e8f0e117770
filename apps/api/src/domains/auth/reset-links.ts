import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { hashOf, randomToken } from './secret-token.ts';

export const FORGOT_PATH = '/api/login/forgot';
export const RESET_PATH = '/api/login/reset';

const isOpen = sql<boolean>`password_resets.expires_at > now()`;

/**
 * Makes a link by which an account's password is set once within `hours`; the result is its path, the only time that it
 * is told. Links that were made before work as well, until one is used. One that `takesOver` ends what others have of the
 * account.
 */
export async function makeResetLink(
  trx: Kysely<Database>,
  userId: string,
  hours: number,
  takesOver = false,
): Promise<string> {
  const token = randomToken();
  await trx
    .insertInto('passwordResets')
    .values({
      hash: hashOf(token),
      userId,
      takesOver,
      expiresAt: sql<string>`now() + make_interval(hours => ${hours})`,
    })
    .execute();
  return `${RESET_PATH}?token=${token}`;
}

/** The account of a link that works; undefined where it was used, is too old, or none. */
export function readResetLink(
  db: Kysely<Database>,
  token: string,
): Promise<{ id: string; email: string; takesOver: boolean } | undefined> {
  return db
    .selectFrom('passwordResets')
    .innerJoin('users', 'users.id', 'passwordResets.userId')
    .select(['users.id', 'users.email', 'passwordResets.takesOver'])
    .where('passwordResets.hash', '=', hashOf(token))
    .where(isOpen)
    .executeTakeFirst();
}

/** Uses a link up, and with it all others of its account; of two uses at once, one gets the account. */
export async function takeResetLink(
  trx: Kysely<Database>,
  token: string,
): Promise<{ userId: string; takesOver: boolean } | undefined> {
  const taken = await trx
    .deleteFrom('passwordResets')
    .where('hash', '=', hashOf(token))
    .where(isOpen)
    .returning(['userId', 'takesOver'])
    .executeTakeFirst();
  if (taken) await trx.deleteFrom('passwordResets').where('userId', '=', taken.userId).execute();
  return taken;
}

/** Forgets links that are too old. */
export async function sweepResets(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('passwordResets').where(sql<boolean>`not ${isOpen}`).execute();
}
