import { type Kysely, sql } from 'kysely';

/** What a dump is compared with when it is proved: rows of tables that were still while it was made, by their names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table database_backups add column row_counts jsonb`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table database_backups drop column row_counts`.execute(db);
}
