import { type Kysely, sql } from 'kysely';

/** Why there is a deployment: a build, or a kept release that was started again for one of three reasons. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deployments add column kind text not null default 'deploy'
    check (kind in ('deploy', 'rollback', 'start', 'restart'))`.execute(db);
  await sql`update deployments set kind = 'rollback' where rollback_of is not null`.execute(db);
  // Servers of the release before say only which release they roll back to.
  await sql`
    create function name_rollback() returns trigger language plpgsql as $$
      begin
        new.kind := 'rollback';
        return new;
      end
    $$`.execute(db);
  await sql`
    create trigger name_rollback before insert on deployments
    for each row when (new.rollback_of is not null and new.kind = 'deploy')
    execute function name_rollback()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger name_rollback on deployments`.execute(db);
  await sql`drop function name_rollback`.execute(db);
  await sql`alter table deployments drop column kind`.execute(db);
}
