import { type Kysely, sql } from 'kysely';

/** Dumps that were, or are being, imported into databases. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table database_imports (
      id uuid primary key default uuid7(),
      owner_id uuid not null references workspaces on delete cascade,
      database_id uuid not null references managed_databases on delete cascade,
      file_id uuid references stored_files on delete set null,
      sealed_url bytea,
      name text not null,
      status text not null default 'running' check (status in ('running', 'done', 'failed', 'cancelled')),
      error text not null default '',
      size bigint not null default 0,
      statements bigint not null default 0,
      skipped text[] not null default '{}',
      xact_id text,
      started_at timestamptz(3) not null default clock_timestamp(),
      ended_at timestamptz(3),
      check ((status = 'running') = (ended_at is null))
    )`.execute(db);
  await sql`create index database_imports_by_database on database_imports (database_id, id)`.execute(db);
  await sql`create index database_imports_by_owner on database_imports (owner_id)`.execute(db);
  await sql`create index database_imports_by_file on database_imports (file_id)`.execute(db);
  await sql`create index database_imports_running on database_imports (id) where status = 'running'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table database_imports`.execute(db);
}
