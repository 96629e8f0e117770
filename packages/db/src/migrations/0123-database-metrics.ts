import { type Kysely, sql } from 'kysely';

/** What a database did, by the minute in which its server ran. Counters only grow, until the server counts anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table database_metrics (
      database_id uuid not null references managed_databases on delete cascade,
      at timestamptz(0) not null,
      size bigint,
      connections integer not null,
      commits bigint not null,
      rollbacks bigint not null,
      pages_hit bigint not null,
      pages_read bigint not null,
      primary key (database_id, at)
    )`.execute(db);
  await sql`create index database_metrics_by_age on database_metrics (at)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table database_metrics`.execute(db);
}
