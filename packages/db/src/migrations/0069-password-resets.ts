import { type Kysely, sql } from 'kysely';

/** A link by which a new password is set without the former one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table password_resets (
      hash text primary key,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index password_resets_of_user on password_resets (user_id)`.execute(db);
  await sql`create index password_resets_expiring on password_resets (expires_at)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table password_resets`.execute(db);
}
