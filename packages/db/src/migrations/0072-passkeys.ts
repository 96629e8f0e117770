import { type Kysely, sql } from 'kysely';

/** Accounts can have passkeys, and what they sign is asked for once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkeys (
      id uuid primary key default uuid7(),
      user_id uuid not null references users on delete cascade,
      name text not null,
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      rp_id text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      last_used_at timestamptz(3)
    )`.execute(db);
  await sql`create index passkeys_of_user on passkeys (user_id, id desc)`.execute(db);
  await sql`
    create table passkey_challenges (
      challenge text primary key,
      purpose text not null check (purpose in ('register', 'prove', 'login')),
      user_id uuid references users on delete cascade,
      expires_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index passkey_challenges_of_user on passkey_challenges (user_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table passkey_challenges, passkeys`.execute(db);
}
