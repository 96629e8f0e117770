import { type Kysely, sql } from 'kysely';

/** By which host stored references name images of our own registry, so that another one can take its place in them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table registry_host (
      is_only boolean primary key default true check (is_only),
      host text not null
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table registry_host`.execute(db);
}
