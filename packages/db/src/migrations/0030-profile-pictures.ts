import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table profile_pictures (
      user_id uuid primary key references users on delete cascade,
      id uuid not null unique default uuid7(),
      media_type text not null,
      bytes bytea not null check (octet_length(bytes) <= 1048576),
      sha256 text not null,
      stored_at timestamptz(3) not null default now()
    )`.execute(db);
  // Addresses at identity providers, which the content security policy never let a browser show.
  await sql`update users set profile_image_url = null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table profile_pictures`.execute(db);
}
