import { type Kysely, sql } from 'kysely';

/** What could be chosen so far: whoever has all of it wants what is added, too. */
const FORMER = [
  ...['deploy-failed', 'app-crashed', 'app-out-of-memory', 'cron-failed', 'cron-missed'],
  ...['certificate-failed', 'certificate-ending', 'domain-lost', 'disk-nearly-full', 'storage-nearly-full'],
  ...['limit-nearly-reached', 'payment-failed', 'commit-status-refused', 'database-unavailable'],
  ...['backup-failed', 'backup-unproven', 'database-nearly-full', 'bytes-damaged', 'upgrade-rolled-back'],
  'secondary-unreachable',
];

/** Adds the alert about backups of the installation to channels that have all others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update alert_channels set kinds = kinds || 'server-backup-failed'::text
    where kinds @> ${FORMER}::text[] and not 'server-backup-failed' = any(kinds)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`update alert_channels set kinds = array_remove(kinds, 'server-backup-failed')`.execute(db);
}
