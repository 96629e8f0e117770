import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { migrations } from './migrations/list.ts';
import type { Database } from './schema/database.ts';

/** A step of the schema, in a transaction of its own. */
export interface SchemaStep extends Migration {
  /** For what PostgreSQL does in no transaction (`create index concurrently`). It has to bear being begun again. */
  withoutTransaction?: boolean;
}

type Steps = Record<string, SchemaStep>;

function migrator(db: Kysely<Database>, steps: Steps) {
  return new Migrator({ db, provider: { getMigrations: async () => steps } });
}

/** Tries of one step, each of which waits two seconds for a lock: a server of the release before may be at work. */
const MAX_ATTEMPTS = 30;
/** Milliseconds between two: who waited behind the first try comes in. */
const PAUSE = 500;
/** SQLSTATEs of a deadlock with it, and of a lock that did not come in time. */
const IN_THE_WAY = new Set(['40P01', '55P03']);

function isInTheWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && IN_THE_WAY.has(String(error.code));
}

/**
 * Brings the schema up to date: of several replicas that start at once, one works. However long it takes: a table that
 * is rewritten, or a replica that waits for that, is no statement that went astray. What was done stays when a later
 * step fails. A schema that a newer release has brought further is left as it is.
 */
export async function migrate(db: Kysely<Database>, steps: Steps = migrations): Promise<void> {
  await db.connection().execute(async (session) => {
    await sql`set statement_timeout = 0`.execute(session);
    try {
      await alone(session, async () => {
        while (!(await patiently(() => takeStep(session, steps))));
      });
    } finally {
      await sql`reset statement_timeout`.execute(session);
    }
  });
}

/** Brings an empty database to the schema that it had after a step. Throws where this program has no step of that name. */
export async function migrateTo(db: Kysely<Database>, name: string): Promise<void> {
  if (!knowsMigration(name)) throw new Error(`There is no migration ${name}.`);
  const steps = Object.entries<SchemaStep>(migrations).filter(([other]) => other <= name);
  await migrate(db, Object.fromEntries(steps));
}

/** Whether this program has a step of that name: what a newer one has left it cannot read. */
export function knowsMigration(name: string): boolean {
  return Object.hasOwn(migrations, name);
}

/**
 * The migrator's own lock is let go of after each step, and which comes next is decided before it is taken. This one is asked
 * for again and again: `create index concurrently` waits for every statement under way, so also for one that waits for a lock.
 */
async function alone(session: Kysely<Database>, work: () => Promise<void>): Promise<void> {
  while (!(await tryLock(session))) await wait(PAUSE);
  try {
    await work();
  } finally {
    await sql`select pg_advisory_unlock(hashtextextended('migrate', 0))`.execute(session);
  }
}

async function tryLock(session: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(hashtextextended('migrate', 0)) as taken`.execute(session);
  return rows[0]?.taken === true;
}

async function patiently<T>(step: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isInTheWay(error)) throw error;
      await wait(PAUSE);
    }
  }
}

/** Does the next step, or where there is no schema yet, as many as can be in one transaction. Whether all were done before. */
async function takeStep(session: Kysely<Database>, steps: Steps): Promise<boolean> {
  const known = await migrator(session, steps).getMigrations();
  const [next, ...later] = known.filter(({ executedAt }) => !executedAt);
  if (!next) return true;
  const isOutside = ({ name }: { name: string }) => steps[name]?.withoutTransaction === true;
  const end = later.findIndex(isOutside);
  const isFirst = later.length + 1 === known.length && !isOutside(next);
  // Nobody is at work yet who would wait for it, and a transaction for each takes many times as long.
  const together = isFirst ? later.slice(0, end === -1 ? undefined : end) : [];
  const last = together.at(-1) ?? next;
  const { error } = await migrator(session, steps).migrateTo(last.name, {
    disableTransactions: isOutside(next),
  });
  if (error) throw error;
  return false;
}

/** Whether the database has every migration of this program. */
export async function isMigrated(db: Kysely<Database>): Promise<boolean> {
  const known = await migrator(db, migrations).getMigrations();
  return known.every((migration) => migration.executedAt !== undefined);
}
