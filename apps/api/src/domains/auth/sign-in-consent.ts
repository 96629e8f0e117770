import type { SignInConsent } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { hangUp } from './end-access.ts';
import { isLive } from './session-store.ts';

/** Until when administrators may sign in as somebody; undefined where they may not. Holds that until `trx` ends. */
export async function holdConsent(trx: Kysely<Database>, userId: string): Promise<string | undefined> {
  const consent = await trx
    .selectFrom('signInConsents')
    .select('endsAt')
    .where('userId', '=', userId)
    .where('endsAt', '>', sql<string>`now()`)
    .forUpdate()
    .executeTakeFirst();
  return consent?.endsAt;
}

export async function readConsent({ db, user }: Pick<UserContext, 'db' | 'user'>): Promise<SignInConsent> {
  const consent = await db
    .selectFrom('signInConsents')
    .select('endsAt')
    .where('userId', '=', user.id)
    .where('endsAt', '>', sql<string>`now()`)
    .executeTakeFirst();
  const signedIn = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.impersonatorId')
    .select('users.email')
    .distinct()
    .where('sessions.userId', '=', user.id)
    .where(isLive)
    .orderBy('users.email')
    .execute();
  return { endsAt: consent?.endsAt ?? null, signedIn: signedIn.map(({ email }) => email) };
}

/** Lets administrators sign in as the caller from now on; who is does so no longer than that. */
export function allowSignIn({ db, user }: UserContext, { hours }: { hours: number }): Promise<SignInConsent> {
  const endsAt = sql<string>`now() + make_interval(hours => ${hours})`;
  return atomically(db, async (trx) => {
    await trx
      .insertInto('signInConsents')
      .values({ userId: user.id, endsAt })
      .onConflict((conflicting) =>
        conflicting.column('userId').doUpdateSet({ endsAt, createdAt: sql<string>`now()` }),
      )
      .execute();
    await trx
      .updateTable('sessions')
      .set({ endsAt: sql<string>`least(ends_at, ${endsAt})` })
      .where('userId', '=', user.id)
      .where('impersonatorId', 'is not', null)
      .execute();
    return readConsent({ db: trx, user });
  });
}

/** Takes it back: who is signed in as the caller is out once this is committed, streams included. */
export function endConsent({ db, user }: UserContext): Promise<SignInConsent> {
  return atomically(db, async (trx) => {
    // First, since who signs in at this moment holds it.
    await trx.deleteFrom('signInConsents').where('userId', '=', user.id).execute();
    await trx
      .deleteFrom('sessions')
      .where('userId', '=', user.id)
      .where('impersonatorId', 'is not', null)
      .execute();
    await hangUp(trx, user.id);
    return readConsent({ db: trx, user });
  });
}

export async function sweepConsents(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('signInConsents').where('endsAt', '<', sql<string>`now()`).execute();
}
