import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { DatabaseEngine, DatabaseEngines } from '../databases/engines/engine.ts';
import type { Condition } from './conditions.ts';

/** Databases that a server is asked of: one that is being deleted, or is full, is not the server's trouble. */
const ASKED = 3;
/** Looks in a row without an answer, after which a server is away: a restart is not told. */
const PATIENCE = 2;
/** Minutes after which a look is too long ago for the next one to follow it. */
const IN_A_ROW = 15;

/** Databases that could not be made, and those whose server is away. */
export async function databasesAway(db: Kysely<Database>, servers: DatabaseEngines): Promise<Condition[]> {
  const away: DatabaseEngine['type'][] = [];
  for (const server of Object.values(servers)) {
    if (server.isAway || (await isAway(db, server))) away.push(server.type);
  }
  const rows = await db
    .selectFrom('managedDatabases')
    .select(['ownerId', 'id', 'name', 'type', 'status', 'error', 'engineName'])
    .where(({ eb, or, and }) =>
      or([
        eb('status', '=', 'failed'),
        and([eb('status', '=', 'available'), eb('type', '=', sql<(typeof away)[number]>`any(${away})`)]),
      ]),
    )
    .execute();
  // Where databases have servers of their own, one may be away while the others are not. None is woken to be asked.
  const unavailable = rows.filter(
    ({ status, type, engineName }) => status === 'failed' || (servers[type].isAway?.(engineName) ?? true),
  );
  return unavailable.map(({ ownerId, id, name, status, error }) => ({
    ownerId,
    subject: { kind: 'database', id, name },
    text:
      status === 'failed'
        ? `The database ${name} could not be created. ${error}`
        : `The database ${name} can't be reached: its server doesn't respond.`,
    path: `/databases/${id}`,
    level: 1,
  }));
}

/** Whether a server answered for none of its newest databases, now and when it was looked at before. */
async function isAway(db: Kysely<Database>, server: DatabaseEngine): Promise<boolean> {
  if (await answers(db, server)) {
    await db.deleteFrom('unansweredServers').where('type', '=', server.type).execute();
    return false;
  }
  const inARow = sql<boolean>`
    unanswered_servers.looked_at > clock_timestamp() - make_interval(mins => ${IN_A_ROW})`;
  const { looks } = await db
    .insertInto('unansweredServers')
    .values({ type: server.type, looks: 1 })
    .onConflict((conflict) =>
      conflict.column('type').doUpdateSet({
        looks: sql<number>`case when ${inARow} then unanswered_servers.looks + 1 else 1 end`,
        lookedAt: sql<string>`clock_timestamp()`,
      }),
    )
    .returning('looks')
    .executeTakeFirstOrThrow();
  return looks >= PATIENCE;
}

/** Whether a server says something of one of its newest databases; true where it has none. */
async function answers(db: Kysely<Database>, server: DatabaseEngine): Promise<boolean> {
  const newest = await db
    .selectFrom('managedDatabases')
    .select('engineName')
    .where('type', '=', server.type)
    .where('status', '=', 'available')
    .orderBy('id', 'desc')
    .limit(ASKED)
    .execute();
  if (newest.length === 0) return true;
  try {
    await Promise.any(newest.map(({ engineName }) => server.usage(engineName)));
    return true;
  } catch {
    return false;
  }
}
