import { type Kysely, sql } from 'kysely';

/** A project can be deployed from a repository of its own, to which it is pushed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column pushed boolean not null default false`.execute(db);
  await sql`alter table deployments add column pushed boolean not null default false`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deployments drop column pushed`.execute(db);
  await sql`alter table projects drop column pushed`.execute(db);
}
