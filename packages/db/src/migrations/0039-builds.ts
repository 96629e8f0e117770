import { type Kysely, sql } from 'kysely';

/** A deployment can run a release command, between its build and its start, and be built without what others left. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deployments add column clear_cache boolean not null default false`.execute(db);
  await constrain(db, "'clone', 'detect', 'install', 'build', 'release', 'start', 'health', 'switch'");
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`update deployments set step = 'build' where step = 'release'`.execute(db);
  await constrain(db, "'clone', 'detect', 'install', 'build', 'start', 'health', 'switch'");
  await sql`alter table deployments drop column clear_cache`.execute(db);
}

async function constrain(db: Kysely<unknown>, steps: string): Promise<void> {
  await sql`
    alter table deployments drop constraint deployments_step_check,
    add constraint deployments_step_check check (step in (${sql.raw(steps)}))`.execute(db);
}
