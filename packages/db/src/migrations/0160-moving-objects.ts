import { type Kysely, sql } from 'kysely';

/** While a server moves objects that only it can read, no other says that they are missing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_bytes_rounds add column moving_until timestamptz(3)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_bytes_rounds drop column moving_until`.execute(db);
}
