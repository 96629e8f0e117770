import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stored_files (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      file_name text not null,
      file_path text not null,
      file_size bigint not null,
      mime_type text not null,
      is_public boolean not null,
      object_key text not null unique,
      sha256 text not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index stored_files_of_owner on stored_files (owner_id, id desc)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table stored_files`.execute(db);
}
