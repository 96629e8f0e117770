import { type Kysely, sql } from 'kysely';

/** Admins whom an admin has made members, which no group undoes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column member_by_hand boolean not null default false`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users drop column member_by_hand`.execute(db);
}
