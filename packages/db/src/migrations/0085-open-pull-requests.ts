import { type Kysely, sql } from 'kysely';

/** A preview may be of several pull requests, and stays until the last one is closed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table previews add column open_pull_requests integer[] not null default '{}'`.execute(db);
  await sql`
    update previews set open_pull_requests = array[pull_request] where pull_request is not null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table previews drop column open_pull_requests`.execute(db);
}
