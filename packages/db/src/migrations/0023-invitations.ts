import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table invitations (
      id uuid primary key default uuid7(),
      hash text not null unique,
      email text check (email = lower(email)),
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      used_at timestamptz(3),
      used_by uuid references users on delete set null,
      revoked_at timestamptz(3),
      revoked_by uuid references users on delete set null,
      check (used_at is null or revoked_at is null)
    )`.execute(db);
  await sql`create index invitations_by_maker on invitations (created_by)`.execute(db);
  await sql`create index invitations_by_account on invitations (used_by)`.execute(db);
  await sql`create index invitations_by_revoker on invitations (revoked_by)`.execute(db);
  await sql`
    create index invitations_unused on invitations (expires_at) where used_at is null and revoked_at is null`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table invitations`.execute(db);
}
