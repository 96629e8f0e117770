import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // RFC 9562 version 7 on the database's clock, with 12 bits of the sub-millisecond fraction (method 3), so that
  // ids sort by creation. PostgreSQL brings uuidv7() itself only from 18 on.
  await sql`
    create function uuid7() returns uuid language sql volatile parallel safe as $$
      select encode(
        substring(int8send(floor(t.ms)::bigint) from 3)
          || int2send((28672 + floor((t.ms - floor(t.ms)) * 4096)::int)::smallint)
          || substring(uuid_send(gen_random_uuid()) from 9),
        'hex')::uuid
      from (select extract(epoch from clock_timestamp()) * 1000 as ms) t
    $$`.execute(db);

  await sql`
    create table users (
      id uuid primary key default uuid7(),
      email text not null unique check (email = lower(email)),
      password_hash text,
      first_name text,
      last_name text,
      profile_image_url text,
      handle text not null unique,
      role text not null check (role in ('admin', 'member')),
      trial_end_date timestamptz(3),
      created_at timestamptz(3) not null default now()
    )`.execute(db);

  await sql`
    create table sessions (
      id text primary key,
      public_id uuid not null unique,
      user_id uuid not null references users on delete cascade,
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      user_agent text not null default '',
      ip_address text not null default ''
    )`.execute(db);
  await sql`create index sessions_of_user on sessions (user_id, created_at desc)`.execute(db);
  await sql`create index sessions_by_expiry on sessions (expires_at)`.execute(db);

  await sql`
    create table identities (
      issuer text not null,
      subject text not null,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz(3) not null default now(),
      primary key (issuer, subject)
    )`.execute(db);
  await sql`create index identities_of_user on identities (user_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table identities, sessions, users`.execute(db);
  await sql`drop function uuid7()`.execute(db);
}
