import { type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Adapter } from 'lucia';
import { hashOf } from './secret-token.ts';
import { trialActive, USER_COLUMNS } from './user-columns.ts';

/** A session ends this many days after its beginning, however much it is used. */
const ABSOLUTE_DAYS = 30;
/** For so long a proof of who somebody is holds for what asks for a recent one. */
const PROOF_MINUTES = 60;

const absoluteEnd = sql<string>`sessions.created_at + make_interval(days => ${sql.lit(ABSOLUTE_DAYS)})`;

/** Whether a session lives, by the database's clock. */
export const isLive = sql<boolean>`(sessions.expires_at > now() and ${absoluteEnd} > now())`;

/** Whether its person proved lately who they are, at log-in or since. */
const isProven = sql<boolean>`(sessions.proved_at > now() - make_interval(mins => ${sql.lit(PROOF_MINUTES)}))`;

/** When a session ends if it is not used again. */
export const sessionEnd = sql<string>`least(sessions.expires_at, ${absoluteEnd})`;

/** The process's instant as the database's: what counts is how far off it is, not what either clock shows. */
function onDatabaseClock(instant: Date) {
  return sql<string>`now() + make_interval(secs => ${(instant.getTime() - Date.now()) / 1000})`;
}

const liveSession = prepare((db, parameter: Parameter<{ digest: string }>) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(USER_COLUMNS)
    .select(trialActive)
    .select(['sessions.publicId', 'sessions.userAgent', 'sessions.ipAddress'])
    .select(isProven.as('isProven'))
    .select(sql<number>`extract(epoch from sessions.expires_at - now()) * 1000`.as('remaining'))
    .where('sessions.id', '=', parameter('digest'))
    .where(isLive)
    .compile(),
);

/**
 * Lucia's storage over Kysely. Lucia compares expiry with the process's clock and deletes what it finds expired, so it
 * is only shown live sessions, and their remaining time on its own clock.
 */
export function sessionStore(db: Kysely<Database>): Adapter {
  return {
    async getSessionAndUser(id) {
      const [row] = await liveSession(db, { digest: hashOf(id) });
      if (!row) return [null, null];
      const { remaining, publicId, userAgent, ipAddress, isProven, ...user } = row;
      return [
        {
          id,
          userId: user.id,
          expiresAt: new Date(Date.now() + remaining),
          attributes: { publicId, userAgent, ipAddress, isProven },
        },
        { id: user.id, attributes: user },
      ];
    },

    async setSession({ id, userId, expiresAt, attributes: { isProven: _, ...attributes } }) {
      await db
        .insertInto('sessions')
        .values({ id: hashOf(id), userId, expiresAt: onDatabaseClock(expiresAt), ...attributes })
        .execute();
    },

    async updateSessionExpiration(id, expiresAt) {
      await db
        .updateTable('sessions')
        .set({ expiresAt: onDatabaseClock(expiresAt) })
        .where('id', '=', hashOf(id))
        .execute();
    },

    async deleteSession(id) {
      await db.deleteFrom('sessions').where('id', '=', hashOf(id)).execute();
    },

    async deleteUserSessions(userId) {
      await db.deleteFrom('sessions').where('userId', '=', userId).execute();
    },

    async deleteExpiredSessions() {
      await db.deleteFrom('sessions').where(sql<boolean>`not ${isLive}`).execute();
    },

    // The raw ids it would have to give are nowhere stored; `listSessions` names sessions by their public ids.
    async getUserSessions() {
      throw new Error('Sessions cannot be listed by their secret ids.');
    },
  };
}
