import { type Kysely, sql } from 'kysely';

/** What could be chosen so far: whoever has all of it wants what is added, too. */
const FORMER = [
  ...['deploy-failed', 'app-crashed', 'app-out-of-memory', 'cron-failed', 'cron-missed'],
  ...['certificate-failed', 'certificate-ending', 'domain-lost', 'disk-nearly-full'],
  ...['storage-nearly-full', 'limit-nearly-reached', 'payment-failed'],
  ...['commit-status-refused', 'database-unavailable', 'secondary-unreachable'],
];

/**
 * The last trial restore of an archive, also once its backup is gone; since when the latest backup of an archive is being proved; and where that takes a database at a server, under which
 * name, so that what a stop left of it can be removed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table database_archives
      add column proving_since timestamptz(3),
      add column trial_name text,
      add column proof_at timestamptz(3),
      add column proof_succeeded boolean,
      add column proof_detail text not null default ''`.execute(db);
  await sql`
    update alert_channels set kinds = kinds || ${['backup-failed', 'backup-unproven']}::text[]
    where kinds @> ${FORMER}::text[] and not kinds && ${['backup-failed', 'backup-unproven']}::text[]`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    update alert_channels
    set kinds = array_remove(array_remove(kinds, 'backup-failed'), 'backup-unproven')`.execute(db);
  await sql`alter table database_archives drop column proving_since, drop column trial_name,
    drop column proof_at, drop column proof_succeeded, drop column proof_detail`.execute(db);
}
