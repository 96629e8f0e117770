import { type Kysely, sql } from 'kysely';

/** Somebody who is kept out: who did it stays written down for as long as that lasts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
    add column disabled_at timestamptz(3),
    add column disabled_by uuid references users on delete set null`.execute(db);
  await sql`create index users_disabled_by on users (disabled_by) where disabled_by is not null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users drop column disabled_at, drop column disabled_by`.execute(db);
}
