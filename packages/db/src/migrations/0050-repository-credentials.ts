import { type Kysely, sql } from 'kysely';

/** A project can have a token for its repository. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column repository_credentials bytea`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects drop column repository_credentials`.execute(db);
}
