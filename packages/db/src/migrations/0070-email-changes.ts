import { type Kysely, sql } from 'kysely';

/** Addresses change once the new one has proved itself, and back for a week; browsers that are new to an account are told of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table email_changes (
      id uuid primary key default uuid7(),
      user_id uuid not null references users on delete cascade,
      former_email text not null,
      email text not null check (email = lower(email)),
      hash text not null unique,
      created_at timestamptz(3) not null default now(),
      ends_at timestamptz(3) not null,
      confirmed_at timestamptz(3)
    )`.execute(db);
  await sql`create index email_changes_of_user on email_changes (user_id)`.execute(db);
  await sql`create index email_changes_back on email_changes (former_email) where confirmed_at is not null`.execute(
    db,
  );
  await sql`create index email_changes_ending on email_changes (ends_at)`.execute(db);
  // Accounts of identity providers have no browser that is known, since log-ins there left no mark.
  await sql`alter table users add column device_seen boolean not null default true`.execute(db);
  await sql`update users set device_seen = false where password_hash is null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users drop column device_seen`.execute(db);
  await sql`drop table email_changes`.execute(db);
}
