import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/list.ts';
import type { Database } from './schema/database.ts';

function migrator(db: Kysely<Database>) {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/**
 * Brings the schema up to date under the migrator's own lock: of several replicas that start at once, one works. However
 * long it takes: a table that is rewritten, or a replica that waits for that, is no statement that went astray.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await db.connection().execute(async (session) => {
    await sql`set statement_timeout = 0`.execute(session);
    const { error } = await migrator(session).migrateToLatest();
    await sql`reset statement_timeout`.execute(session);
    if (error) throw error;
  });
}

/** Whether the database has every migration of this program. */
export async function isMigrated(db: Kysely<Database>): Promise<boolean> {
  const known = await migrator(db).getMigrations();
  return known.every((migration) => migration.executedAt !== undefined);
}
