import { type Kysely, sql } from 'kysely';

/** Which databases previews get copies of, and the copies that there are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table preview_sources (
      project_id uuid not null references projects on delete cascade,
      database_id uuid not null references managed_databases on delete cascade,
      owner_id uuid not null references workspaces on delete cascade,
      primary key (project_id, database_id)
    )`.execute(db);
  await sql`create index preview_sources_of_database on preview_sources (database_id)`.execute(db);
  await sql`create index preview_sources_of_owner on preview_sources (owner_id)`.execute(db);
  await sql`
    create table preview_copies (
      database_id uuid primary key references managed_databases on delete cascade,
      project_id uuid not null references previews on delete cascade,
      source_id uuid references managed_databases on delete set null,
      owner_id uuid not null references workspaces on delete cascade
    )`.execute(db);
  await sql`create unique index preview_copies_of_preview on preview_copies (project_id, source_id)`.execute(
    db,
  );
  await sql`create index preview_copies_of_source on preview_copies (source_id)`.execute(db);
  await sql`create index preview_copies_of_owner on preview_copies (owner_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table preview_copies, preview_sources`.execute(db);
}
