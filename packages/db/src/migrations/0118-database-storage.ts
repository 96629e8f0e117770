import { type Kysely, sql } from 'kysely';

/** What could be chosen so far: whoever has all of it wants what is added, too. */
const FORMER = [
  ...[
    'deploy-failed',
    'app-crashed',
    'app-out-of-memory',
    'cron-failed',
    'cron-missed',
    'certificate-failed',
  ],
  ...['certificate-ending', 'domain-lost', 'disk-nearly-full', 'storage-nearly-full', 'limit-nearly-reached'],
  ...['payment-failed', 'commit-status-refused', 'database-unavailable', 'secondary-unreachable'],
];

/** How full a database is, and until when a full one can be written to delete from it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table managed_databases
      add column storage_state text not null default 'ok'
        check (storage_state in ('ok', 'nearly', 'full', 'closed')),
      add column freeing_until timestamptz(3)`.execute(db);
  await sql`
    create trigger database_storage_changes before update of storage_state, freeing_until
    on managed_databases for each row execute function tell_database_change()`.execute(db);
  await sql`
    update alert_channels set kinds = kinds || 'database-nearly-full'::text
    where kinds @> ${FORMER}::text[] and not 'database-nearly-full' = any(kinds)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`update alert_channels set kinds = array_remove(kinds, 'database-nearly-full')`.execute(db);
  await sql`drop trigger database_storage_changes on managed_databases`.execute(db);
  await sql`alter table managed_databases drop column storage_state, drop column freeing_until`.execute(db);
}
