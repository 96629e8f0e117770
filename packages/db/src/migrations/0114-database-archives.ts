import { type Kysely, sql } from 'kysely';

/**
 * What is kept of a database's past: base backups, and between them its log piece by piece. An archive belongs to what
 * is in a database, not to its name. Their bytes count as what their owner stores.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table managed_databases
      add column keep_days integer not null default 7 check (keep_days between 1 and 30),
      add column backup_hour integer not null default floor(random() * 6) check (backup_hour between 0 and 23)`.execute(
    db,
  );
  await sql`
    create table database_archives (
      id uuid primary key default gen_random_uuid(),
      owner_id uuid not null references workspaces on delete cascade,
      database_id uuid not null references managed_databases on delete cascade,
      size bigint not null default 0,
      behind_since timestamptz(3),
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index database_archives_by_owner on database_archives (owner_id)`.execute(db);
  // Not unique: where two databases change places, both have both for a moment.
  await sql`create index database_archives_of on database_archives (database_id)`.execute(db);
  await sql`
    create table database_backups (
      id uuid primary key default uuid7(),
      archive_id uuid not null references database_archives on delete cascade,
      status text not null default 'running' check (status in ('running', 'done', 'failed')),
      error text not null default '',
      size bigint not null default 0,
      sha256 text,
      timeline integer,
      first_wal bigint,
      last_wal bigint,
      started_at timestamptz(3) not null default clock_timestamp(),
      ended_at timestamptz(3),
      proof_at timestamptz(3),
      proof_succeeded boolean,
      proof_detail text not null default ''
    )`.execute(db);
  await sql`create index database_backups_of on database_backups (archive_id, id desc)`.execute(db);
  await sql`
    create table database_wal (
      archive_id uuid not null references database_archives on delete cascade,
      timeline integer not null,
      number bigint not null,
      name text not null,
      size bigint not null,
      sha256 text not null,
      written_at timestamptz(3) not null,
      primary key (archive_id, timeline, number)
    )`.execute(db);
  await sql`
    create table database_restores (
      database_id uuid primary key references managed_databases on delete cascade,
      archive_id uuid references database_archives on delete set null,
      backup_id uuid references database_backups on delete set null,
      at timestamptz(3)
    )`.execute(db);
  await sql`create index database_restores_of on database_restores (archive_id)`.execute(db);
  await sql`create index database_restores_by_backup on database_restores (backup_id)`.execute(db);
  for (const [event, { tables, changes }] of COUNTED) {
    const count = sql.id(`count_archive_${event}`);
    await sql`
      create function ${count}() returns trigger language plpgsql as $$
        begin
          update database_archives
          set size = database_archives.size + change.size
          from (
            select archive_id, sum(size)::bigint as size from (${changes}) as changes
            group by archive_id having sum(size) <> 0
          ) as change
          where id = change.archive_id;
          return null;
        end
      $$`.execute(db);
    for (const table of ['database_backups', 'database_wal']) {
      await sql`
        create trigger ${count} after ${sql.raw(event)} on ${sql.table(table)}
        referencing ${tables} for each statement execute function ${count}()`.execute(db);
    }
  }
  await storageOf(db, sql` + (select coalesce(sum(size), 0) from database_archives where owner_id = owner)`);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await storageOf(db, sql``);
  await sql`drop table database_restores, database_wal, database_backups, database_archives`.execute(db);
  for (const [event] of COUNTED) await sql`drop function ${sql.id(`count_archive_${event}`)}`.execute(db);
  await sql`alter table managed_databases drop column keep_days, drop column backup_hour`.execute(db);
}

const ADDED = { tables: sql`new table as added`, changes: sql`select archive_id, size from added` };
const GONE = { tables: sql`old table as gone`, changes: sql`select archive_id, -size as size from gone` };
/** What the size of an archive changes by: once for a statement, since a removal takes many pieces of the log at once. */
const COUNTED = [
  ['insert', ADDED],
  ['delete', GONE],
  [
    'update',
    {
      tables: sql`${ADDED.tables} ${GONE.tables}`,
      changes: sql`${ADDED.changes} union all ${GONE.changes}`,
    },
  ],
] as const;

async function storageOf(db: Kysely<unknown>, more: ReturnType<typeof sql>): Promise<void> {
  await sql`
    create or replace function storage_of(owner uuid, out stored bigint, out unfinished bigint)
    language sql stable as $$
      select
        ((select coalesce(sum(level), 0) from usage_meters
          where user_id = owner and resource_type in ('storage', 'container'))${more})::bigint,
        (select coalesce(sum(size), 0) from container_uploads where owner_id = owner)::bigint
    $$`.execute(db);
}
