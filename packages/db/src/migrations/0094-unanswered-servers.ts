import { type Kysely, sql } from 'kysely';

/** How often in a row the server of a type of database did not answer, by the looks of whichever replica. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unanswered_servers (
      type text primary key,
      looks integer not null,
      looked_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table unanswered_servers`.execute(db);
}
