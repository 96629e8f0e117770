import { type Kysely, sql } from 'kysely';

/** Why there is a deployment: a build, or a kept release that was started again for one of three reasons. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deployments add column kind text not null default 'deploy'
    check (kind in ('deploy', 'rollback', 'start', 'restart'))`.execute(db);
  await sql`update deployments set kind = 'rollback' where rollback_of is not null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deployments drop column kind`.execute(db);
}
