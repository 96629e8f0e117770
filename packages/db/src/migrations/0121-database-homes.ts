import { type Kysely, sql } from 'kysely';

/** Which machine has the server that is a database's own; null: none, or it was not told yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table managed_databases add column home text`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table managed_databases drop column home`.execute(db);
}
