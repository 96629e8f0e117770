import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_files add column charset text`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_files drop column charset`.execute(db);
}
