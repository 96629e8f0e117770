import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { DatabaseEngine, DatabaseEngines } from '../databases/engines/engine.ts';
import type { Condition } from './conditions.ts';

type DatabaseType = DatabaseEngine['type'];

/** Databases that a server is asked of: one that is being deleted, or is full, is not the server's trouble. */
const ASKED = 3;
/** Looks in a row without an answer, after which a server is away: a restart is not told. */
const PATIENCE = 2;
/** Minutes after which a look is too long ago for the next one to follow it. */
const IN_A_ROW = 15;

/** Databases that could not be made, and those whose server is away. */
export async function databasesAway(db: Kysely<Database>, servers: DatabaseEngines): Promise<Condition[]> {
  const silent: DatabaseType[] = [];
  const looked: DatabaseType[] = [];
  for (const server of Object.values(servers)) {
    const isSilent = !(await answers(db, server));
    if (isSilent) silent.push(server.type);
    if (isSilent || server.lastStart) looked.push(server.type);
  }
  const rows = await db
    .selectFrom('managedDatabases')
    .select(['ownerId', 'id', 'name', 'type', 'status', 'error', 'engineName'])
    .where(({ eb, or, and }) =>
      or([
        eb('status', '=', 'failed'),
        and([eb('status', '=', 'available'), eb('type', '=', sql<DatabaseType>`any(${looked})`)]),
      ]),
    )
    .execute();
  const known = rows.map(({ engineName, ...row }) => {
    const start = servers[row.type].lastStart?.(engineName);
    return { ...row, start, server: start === undefined ? row.type : row.id };
  });
  const unavailable = known.filter(({ status, type, start }) => {
    if (status === 'failed') return true;
    return start === undefined ? silent.includes(type) : start !== 'worked';
  });
  // None is woken to be asked: of one that was not tried yet, nothing begins and nothing is over.
  const unanswered = unavailable.filter(({ status, start }) => status !== 'failed' && start !== 'untried');
  const away = await countUnanswered(
    db,
    unanswered.map(({ server }) => server),
  );
  return unavailable.map(({ ownerId, id, name, status, error, server }) => ({
    ownerId,
    subject: { kind: 'database', id, name },
    text:
      status === 'failed'
        ? `The database ${name} could not be created. ${error}`
        : `The database ${name} can't be reached: its server doesn't respond.`,
    path: `/databases/${id}`,
    level: status === 'failed' || away.has(server) ? 1 : null,
  }));
}

/** Counts the looks in a row at which each of these servers, and no other, did not answer; the result is those away. */
async function countUnanswered(db: Kysely<Database>, servers: readonly string[]): Promise<Set<string>> {
  const unanswered = [...new Set(servers)];
  await db
    .deleteFrom('unansweredServers')
    .where('server', '<>', sql<string>`all(${unanswered}::text[])`)
    .execute();
  if (unanswered.length === 0) return new Set();
  const inARow = sql<boolean>`
    unanswered_servers.looked_at > clock_timestamp() - make_interval(mins => ${IN_A_ROW})`;
  const counted = await db
    .insertInto('unansweredServers')
    .values(unanswered.map((server) => ({ server, looks: 1 })))
    .onConflict((conflict) =>
      conflict.column('server').doUpdateSet({
        looks: sql<number>`case when ${inARow} then unanswered_servers.looks + 1 else 1 end`,
        lookedAt: sql<string>`clock_timestamp()`,
      }),
    )
    .returning(['server', 'looks'])
    .execute();
  return new Set(counted.filter(({ looks }) => looks >= PATIENCE).map(({ server }) => server));
}

/** Whether a server that databases share says something of one of its newest; true where it has none. */
async function answers(db: Kysely<Database>, server: DatabaseEngine): Promise<boolean> {
  const available = await db
    .selectFrom('managedDatabases')
    .select('engineName')
    .where('type', '=', server.type)
    .where('status', '=', 'available')
    .orderBy('id', 'desc')
    // Which have servers of their own, the engine alone knows.
    .$if(!server.lastStart, (newest) => newest.limit(ASKED))
    .execute();
  const names = available.map(({ engineName }) => engineName);
  const asked = names.filter((name) => server.lastStart?.(name) === undefined).slice(0, ASKED);
  if (asked.length === 0) return true;
  try {
    await Promise.any(asked.map((name) => server.usage(name)));
    return true;
  } catch {
    return false;
  }
}
