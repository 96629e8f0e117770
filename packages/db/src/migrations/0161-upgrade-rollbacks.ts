import { type Kysely, sql } from 'kysely';

/** What could be chosen so far: whoever has all of it wants what is added, too. */
const FORMER = [
  ...['deploy-failed', 'app-crashed', 'app-out-of-memory', 'cron-failed', 'cron-missed'],
  ...['certificate-failed', 'certificate-ending', 'domain-lost', 'disk-nearly-full', 'storage-nearly-full'],
  ...['limit-nearly-reached', 'payment-failed', 'commit-status-refused', 'database-unavailable'],
  ...['backup-failed', 'backup-unproven', 'database-nearly-full', 'bytes-damaged', 'secondary-unreachable'],
];

/** Adds the alert about upgrades that were rolled back to channels that have all others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update alert_channels set kinds = kinds || 'upgrade-rolled-back'::text
    where kinds @> ${FORMER}::text[] and not 'upgrade-rolled-back' = any(kinds)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`update alert_channels set kinds = array_remove(kinds, 'upgrade-rolled-back')`.execute(db);
}
