import { type Kysely, sql } from 'kysely';

/**
 * A project can be an app of the marketplace, in a version of its own. A deployment of one saves the disks first where it
 * may change them for good, and whoever watches an installation is told of each. Secret answers are sealed, and gone when
 * they were used.
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
  // The newest deployment of a version.
  await sql`
    create index deployments_of_recipe on deployments (project_id, recipe_version, id)
    where recipe_version is not null`.execute(db);
  await sql`
    create function tell_app_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        perform pg_notify('installation_changed', old.owner_id || ' ' || old.recipe);
      else
        perform pg_notify('installation_changed', new.owner_id || ' ' || new.recipe);
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger app_deployments after insert or update of status, step, error on deployments
    for each row when (new.recipe is not null) execute function tell_app_change()`.execute(db);
  await sql`
    create trigger app_changes after update of recipe_version, repository_url, image on projects
    for each row when (new.recipe is not null) execute function tell_app_change()`.execute(db);
  await sql`
    create trigger app_deletions after delete on projects
    for each row when (old.recipe is not null) execute function tell_app_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger app_deletions on projects`.execute(db);
  await sql`drop trigger app_changes on projects`.execute(db);
  await sql`drop trigger app_deployments on deployments`.execute(db);
  await sql`drop function tell_app_change()`.execute(db);
  await sql`drop index deployments_of_recipe`.execute(db);
  await sql`alter table installations drop column secret_inputs`.execute(db);
  await sql`
    alter table deployments drop column recipe, drop column recipe_version, drop column saves_disks`.execute(
    db,
  );
  await sql`alter table projects drop column recipe, drop column recipe_version`.execute(db);
}
