import { type Kysely, sql } from 'kysely';

/**
 * Backups of the whole installation: the key of each repository that they go to, sealed, since nobody is there at night
 * to say the passphrase; and what was done, the latest first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backup_repositories (
      id uuid primary key,
      sealed_key bytea not null,
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`
    create table installation_backups (
      id uuid primary key default uuid7(),
      kind text not null check (kind in ('backup', 'proof')),
      status text not null default 'running' check (status in ('running', 'done', 'failed', 'cancelled')),
      step text not null default '',
      done bigint not null default 0,
      expected bigint,
      bytes bigint,
      added bigint,
      missing text[] not null default '{}',
      error text not null default '',
      is_cancelled boolean not null default false,
      seen_at timestamptz(3) not null default clock_timestamp(),
      started_at timestamptz(3) not null default clock_timestamp(),
      ended_at timestamptz(3),
      check ((status = 'running') = (ended_at is null))
    )`.execute(db);
  await sql`create unique index installation_backups_running on installation_backups (status) where status = 'running'`.execute(
    db,
  );
  await sql`create index installation_backups_by_kind on installation_backups (kind, id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table installation_backups, backup_repositories`.execute(db);
}
