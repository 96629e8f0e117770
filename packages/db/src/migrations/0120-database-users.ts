import { type Kysely, sql } from 'kysely';

/** Further users of a database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table database_users (
      id uuid primary key default uuid7(),
      owner_id uuid not null references workspaces on delete cascade,
      database_id uuid not null references managed_databases on delete cascade,
      name text not null check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
      access text not null check (access in ('read', 'write')),
      password bytea not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      unique (database_id, name)
    )`.execute(db);
  await sql`create index database_users_by_owner on database_users (owner_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table database_users`.execute(db);
}
