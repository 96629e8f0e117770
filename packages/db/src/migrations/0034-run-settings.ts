import { type Kysely, sql } from 'kysely';

/** How a project is built and run, as far as it is set; as it was when a deployment was queued; and what the newest build found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table projects
    add column run_settings jsonb not null default '{}' check (jsonb_typeof(run_settings) = 'object'),
    add column detected jsonb check (jsonb_typeof(detected) = 'object')`.execute(db);
  await sql`
    alter table deployments add column run_settings jsonb not null default '{}'
    check (jsonb_typeof(run_settings) = 'object')`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deployments drop column run_settings`.execute(db);
  await sql`alter table projects drop column detected, drop column run_settings`.execute(db);
}
