import { type Kysely, sql } from 'kysely';

/** What could be chosen so far: whoever has all of it wants what is added, too. */
const FORMER = [
  ...['deploy-failed', 'app-crashed', 'app-out-of-memory', 'cron-failed', 'cron-missed'],
  ...['certificate-failed', 'certificate-ending', 'domain-lost', 'disk-nearly-full', 'storage-nearly-full'],
  ...['limit-nearly-reached', 'payment-failed', 'commit-status-refused', 'database-unavailable'],
  ...['backup-failed', 'backup-unproven', 'database-nearly-full', 'secondary-unreachable'],
];

/** How far the bytes of the object store were read again, and what of them is not as it was stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stored_bytes_rounds (
      is_only boolean primary key default true check (is_only),
      began_at timestamptz(3),
      source text,
      after text not null default '',
      objects bigint not null default 0,
      bytes bigint not null default 0,
      total_bytes bigint not null default 0,
      ended_at timestamptz(3),
      ended_objects bigint not null default 0,
      ended_bytes bigint not null default 0
    )`.execute(db);
  await sql`insert into stored_bytes_rounds default values`.execute(db);
  await sql`
    create table damaged_objects (
      source text not null,
      id text not null,
      owner_id uuid references workspaces on delete cascade,
      name text not null,
      problem text not null check (problem in ('damaged', 'missing')),
      found_at timestamptz(3) not null default clock_timestamp(),
      checked_at timestamptz(3) not null default clock_timestamp(),
      primary key (source, id)
    )`.execute(db);
  await sql`create index damaged_objects_of_owner on damaged_objects (owner_id)`.execute(db);
  await sql`
    update alert_channels set kinds = kinds || 'bytes-damaged'::text
    where kinds @> ${FORMER}::text[] and not 'bytes-damaged' = any(kinds)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`update alert_channels set kinds = array_remove(kinds, 'bytes-damaged')`.execute(db);
  await sql`drop table damaged_objects, stored_bytes_rounds`.execute(db);
}
