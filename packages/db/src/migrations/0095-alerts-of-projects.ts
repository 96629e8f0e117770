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
  ...['certificate-ending', 'domain-lost', 'disk-nearly-full', 'storage-nearly-full', 'payment-failed'],
  ...['commit-status-refused', 'database-unavailable', 'secondary-unreachable'],
];

/** The project that an alert's page is of, and the one that a channel is for alone; null: the whole workspace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table alerts add column project_id text
      generated always as (substring(path from '^/projects/([0-9a-f-]{36})')) stored`.execute(db);
  await sql`
    create index alerts_of_project on alerts (owner_id, project_id, id desc) where project_id is not null`.execute(
    db,
  );
  // Without a foreign key: a channel whose project is gone is for none, not for all.
  await sql`alter table alert_channels add column project_id uuid`.execute(db);
  await sql`
    update alert_channels set kinds = kinds || 'limit-nearly-reached'::text
    where kinds @> ${FORMER}::text[] and not 'limit-nearly-reached' = any(kinds)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`update alert_channels set kinds = array_remove(kinds, 'limit-nearly-reached')`.execute(db);
  // It would be for the whole workspace from then on.
  await sql`update alert_channels set enabled = false where project_id is not null`.execute(db);
  await sql`alter table alert_channels drop column project_id`.execute(db);
  await sql`alter table alerts drop column project_id`.execute(db);
}
