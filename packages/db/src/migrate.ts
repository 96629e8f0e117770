import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/list.ts';
import type { Database } from './schema/database.ts';

function migrator(db: Kysely<Database>) {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/** Tries, each of which waits two seconds for a lock: a server of the release before may be at work on the tables. */
const MAX_ATTEMPTS = 30;
/** SQLSTATEs of a deadlock with it, and of a lock that did not come in time. */
const IN_THE_WAY = new Set(['40P01', '55P03']);

function isInTheWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && IN_THE_WAY.has(String(error.code));
}

/**
 * Brings the schema up to date under the migrator's own lock: of several replicas that start at once, one works. However
 * long it takes: a table that is rewritten, or a replica that waits for that, is no statement that went astray.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await db.connection().execute(async (session) => {
    await sql`set statement_timeout = 0`.execute(session);
    try {
      for (let attempt = 1; ; attempt += 1) {
        const { error } = await migrator(session).migrateToLatest();
        if (!error) return;
        if (attempt === MAX_ATTEMPTS || !isInTheWay(error)) throw error;
      }
    } finally {
      await sql`reset statement_timeout`.execute(session);
    }
  });
}

/** Whether the database has every migration of this program. */
export async function isMigrated(db: Kysely<Database>): Promise<boolean> {
  const known = await migrator(db).getMigrations();
  return known.every((migration) => migration.executedAt !== undefined);
}
