import { type Kysely, sql } from 'kysely';

/** A project can be deployed from an image; which image a deployment runs, and what made it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table projects
    add column image text not null default '',
    add column image_credentials bytea`.execute(db);
  await sql`
    alter table deployments
    add column image text not null default '',
    add column image_digest text,
    add column cause text not null default ''`.execute(db);
  // Which projects a push deploys, and which tags they need.
  await sql`create index projects_by_image on projects (owner_id, image) where image <> ''`.execute(db);
  // Which images releases need that run or are kept.
  await sql`
    create index deployments_by_image on deployments (owner_id) where image_digest is not null
    and (release_kept or status in ('queued', 'building', 'deploying', 'running'))`.execute(db);
  await watch(db, ', image_digest');
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await watch(db, '');
  await sql`
    alter table deployments drop column cause, drop column image_digest, drop column image`.execute(db);
  await sql`alter table projects drop column image_credentials, drop column image`.execute(db);
}

/** Whoever changes what a deployment shows tells those who watch it. */
async function watch(db: Kysely<unknown>, more: string): Promise<void> {
  await sql`drop trigger deployment_changes on deployments`.execute(db);
  await sql`
    create trigger deployment_changes
    before delete or insert or update of
      status, step, error, commit, commit_message, release_kept, started_at, finished_at${sql.raw(more)}
    on deployments for each row execute function tell_deployment_change()`.execute(db);
}
