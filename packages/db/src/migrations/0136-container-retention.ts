import { type Kysely, sql } from 'kysely';

/** By which rule tags of a repository are deleted each night, and what is kept of another registry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table container_retention (
      repository_id uuid primary key references container_repositories on delete cascade,
      owner_id uuid not null references workspaces on delete cascade,
      matching text not null,
      keep_matching text not null,
      keep_last integer not null check (keep_last > 0),
      older_than_days integer not null check (older_than_days >= 0),
      untagged boolean not null,
      next_run_at timestamptz(3) not null,
      ran_at timestamptz(3),
      ran_tags integer not null default 0,
      ran_size bigint not null default 0
    )`.execute(db);
  await sql`create index container_retention_by_owner on container_retention (owner_id)`.execute(db);
  await sql`create index container_retention_due on container_retention (next_run_at)`.execute(db);
  await sql`
    create table mirrored_contents (
      digest text primary key,
      size bigint not null,
      media_type text not null,
      used_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index mirrored_contents_by_use on mirrored_contents (used_at, digest)`.execute(db);
  await sql`
    create table mirrored_tags (
      name text not null,
      tag text not null,
      digest text not null,
      checked_at timestamptz(3) not null default now(),
      primary key (name, tag)
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table mirrored_tags`.execute(db);
  await sql`drop table mirrored_contents`.execute(db);
  await sql`drop table container_retention`.execute(db);
}
