import { type Kysely, sql } from 'kysely';

/**
 * A project can be an app of the marketplace, in a version of its own. An upgrade is a deployment that saves the disks
 * first, and whoever watches an installation is told of it. Secret answers are sealed, and gone when they were used.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table projects
    add column recipe text,
    add column recipe_version text,
    add constraint projects_recipe_version check ((recipe is null) = (recipe_version is null))`.execute(db);
  await sql`
    alter table deployments
    add column recipe text,
    add column recipe_version text,
    add column saves_disks boolean not null default false`.execute(db);
  await sql`alter table installations add column secret_inputs jsonb not null default '{}'`.execute(db);
  // The newest upgrade of a project, and which are under way.
  await sql`create index deployments_upgrades on deployments (project_id, id) where saves_disks`.execute(db);
  await sql`
    create function tell_upgrade_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('installation_changed', new.owner_id || ' ' || new.recipe);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger upgrade_changes after insert or update of status, step, error on deployments
    for each row when (new.saves_disks and new.recipe is not null)
    execute function tell_upgrade_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger upgrade_changes on deployments`.execute(db);
  await sql`drop function tell_upgrade_change()`.execute(db);
  await sql`drop index deployments_upgrades`.execute(db);
  await sql`alter table installations drop column secret_inputs`.execute(db);
  await sql`
    alter table deployments drop column recipe, drop column recipe_version, drop column saves_disks`.execute(
    db,
  );
  await sql`alter table projects drop column recipe, drop column recipe_version`.execute(db);
}
