import { type Kysely, sql } from 'kysely';

/** Why a database could not be moved to a server of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table managed_databases add column move_error text not null default ''`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table managed_databases drop column move_error`.execute(db);
}
