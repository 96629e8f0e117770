import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column template text`.execute(db);
  await sql`alter table deployments add column template text`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deployments drop column template`.execute(db);
  await sql`alter table projects drop column template`.execute(db);
}
