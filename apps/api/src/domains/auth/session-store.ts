import { type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Adapter } from 'lucia';
import { createBatches } from '../../platform/batches.ts';
import { FACTOR_DEMANDED_BY } from '../../platform/factor-demands.ts';
import { askedFor, WORKSPACE_COLUMNS, workspaceOf } from '../workspaces/workspace-columns.ts';
import { hashOf } from './secret-token.ts';
import { trialActive, USER_COLUMNS } from './user-columns.ts';

/** A session ends this many days after its beginning, however much it is used. */
const ABSOLUTE_DAYS = 30;
/** For so long a proof of who somebody is holds for what asks for a recent one. */
const PROOF_MINUTES = 60;

const absoluteEnd = sql<string>`sessions.created_at + make_interval(days => ${sql.lit(ABSOLUTE_DAYS)})`;

/** Whether a session lives, by the database's clock. */
export const isLive = sql<boolean>`(
  sessions.expires_at > now() and ${absoluteEnd} > now() and (sessions.ends_at is null or sessions.ends_at > now()))`;

/** Whether its person proved lately who they are, at log-in or since. */
const isProven = sql<boolean>`(sessions.proved_at > now() - make_interval(mins => ${sql.lit(PROOF_MINUTES)}))`;

/** Of a session in somebody else's name: whether who has it may still. */
const isStillAdmin = sql<boolean>`(sessions.impersonator_id is null
  or (impersonators.role = 'admin' and impersonators.disabled_at is null))`;

/** When a session ends if it is not used again. */
export const sessionEnd = sql<string>`least(sessions.expires_at, ${absoluteEnd}, sessions.ends_at)`;

/** The process's instant as the database's: what counts is how far off it is, not what either clock shows. */
function onDatabaseClock(instant: Date) {
  return sql<string>`now() + make_interval(secs => ${(instant.getTime() - Date.now()) / 1000})`;
}

/** A session that is asked for. */
interface Ask {
  /** SHA-256 of its secret id, in hex. */
  digest: string;
  /** The workspace that the call names; null for the session's own. */
  asked: string | null;
}

/** One statement for every call, or for several at once: the session, its person, and the call's workspace. */
const liveSessions = prepare(
  (db, parameter: Parameter<{ digests: readonly string[]; asked: readonly (string | null)[] }>) =>
    db
      .selectFrom(
        sql<
          Ask & { n: number }
        >`unnest(${parameter('digests')}::text[], ${parameter('asked')}::uuid[]) with ordinality`.as<'ask'>(
          sql`ask (digest, asked, n)`,
        ),
      )
      .innerJoin('sessions', 'sessions.id', 'ask.digest')
      .innerJoin('users', 'users.id', 'sessions.userId')
      .leftJoin('users as impersonators', 'impersonators.id', 'sessions.impersonatorId')
      .leftJoin('workspaceMembers', (join) =>
        join
          .onRef('workspaceMembers.userId', '=', 'users.id')
          .on(
            sql<boolean>`workspace_members.workspace_id = coalesce(ask.asked, sessions.workspace_id, users.id)`,
          ),
      )
      .leftJoin('workspaces', 'workspaces.id', 'workspaceMembers.workspaceId')
      .select('ask.n')
      .select(USER_COLUMNS)
      .select(WORKSPACE_COLUMNS)
      .select(trialActive)
      .select(['sessions.publicId', 'sessions.userAgent', 'sessions.ipAddress'])
      .select(['sessions.impersonatorId', 'impersonators.email as impersonatorEmail', 'sessions.endsAt'])
      .select(isProven.as('isProven'))
      .select(FACTOR_DEMANDED_BY.as('factorDemandedBy'))
      .select(sql<number>`extract(epoch from sessions.expires_at - now()) * 1000`.as('remaining'))
      .where('users.disabledAt', 'is', null)
      .where(isStillAdmin)
      .where(isLive)
      .compile(),
);

type LiveRow = Awaited<ReturnType<typeof liveSessions>>[number];

async function readAll(db: Kysely<Database>, asks: readonly Ask[]): Promise<(LiveRow | undefined)[]> {
  const rows = await liveSessions(db, {
    digests: asks.map(({ digest }) => digest),
    asked: asks.map(({ asked }) => asked),
  });
  const byNumber = new Map(rows.map((row) => [Number(row.n), row]));
  return asks.map((_, index) => byNumber.get(index + 1));
}

/** Finds a live session by the digest of its secret id. */
export type FindLive = (digest: string) => Promise<LiveRow | undefined>;

/** In the transaction `db`, in the session's own workspace. */
export function findIn(db: Kysely<Database>): FindLive {
  return async (digest) => (await readAll(db, [{ digest, asked: null }]))[0];
}

/** Statements at once; what is asked for meanwhile goes together into the next one. */
const AT_ONCE = 2;
const LARGEST = 64;
/** Milliseconds that a call waits for the statements before its own: as long as any does for a connection. */
const PATIENCE = 2000;

/** Calls at the same time share a statement: most of what a session costs is to ask, not what is asked for. */
export function createFindLive(db: Kysely<Database>): (asked: string | undefined) => FindLive {
  const reads = createBatches<Ask, LiveRow | undefined>({
    run: (asks) => readAll(db, asks),
    ...{ atOnce: AT_ONCE, largest: LARGEST, patience: PATIENCE },
    mayRepeat: () => false,
  });
  return (asked) => {
    const workspace = askedFor(asked);
    return (digest) => reads.add({ digest, asked: workspace });
  };
}

/**
 * Lucia's storage over Kysely. Lucia compares expiry with the process's clock and deletes what it finds expired, so it
 * is only shown live sessions, and their remaining time on its own clock.
 */
export function sessionStore(db: Kysely<Database>, findLive: FindLive): Adapter {
  return {
    async getSessionAndUser(id) {
      const row = await findLive(hashOf(id));
      if (!row) return [null, null];
      const { n: _, remaining, publicId, userAgent, ipAddress, isProven, factorDemandedBy, ...rest } = row;
      const { impersonatorId, impersonatorEmail, endsAt, ...known } = rest;
      const impersonator =
        impersonatorId === null || endsAt === null
          ? null
          : { id: impersonatorId, email: impersonatorEmail ?? '', until: endsAt };
      const { workspace, ...user } = workspaceOf(known);
      return [
        {
          id,
          userId: user.id,
          expiresAt: new Date(Date.now() + remaining),
          attributes: { publicId, userAgent, ipAddress, isProven, impersonator },
        },
        { id: user.id, attributes: { user, workspace, factorDemandedBy } },
      ];
    },

    async setSession({ id, userId, expiresAt, attributes }) {
      const { isProven: _, impersonator, ...place } = attributes;
      await db
        .insertInto('sessions')
        .values({
          ...{ id: hashOf(id), userId, expiresAt: onDatabaseClock(expiresAt), ...place },
          ...{ impersonatorId: impersonator?.id ?? null, endsAt: impersonator?.until ?? null },
        })
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
