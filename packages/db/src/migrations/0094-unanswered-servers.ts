import { type Kysely, sql } from 'kysely';

/**
 * How often in a row a server of databases did not answer, by the looks of whichever replica: that of a type, or one
 * database's own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unanswered_servers (
      server text primary key,
      looks integer not null,
      looked_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table unanswered_servers`.execute(db);
}
