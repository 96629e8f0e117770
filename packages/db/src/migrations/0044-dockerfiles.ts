import { type Kysely, sql } from 'kysely';

/** A project keeps the Dockerfile that was written for what its newest build found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column dockerfile text`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects drop column dockerfile`.execute(db);
}
