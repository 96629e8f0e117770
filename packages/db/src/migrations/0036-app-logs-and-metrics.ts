import { type Kysely, sql } from 'kysely';

/** The output of running apps, in packed blocks of lines, and their figures by minute and by hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createLogs(db);
  await createMetrics(db);
}

async function createLogs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table project_logs (
      project_id uuid primary key references projects on delete cascade,
      last_line bigint not null,
      bytes bigint not null
    )`.execute(db);
  await sql`
    create table project_log_blocks (
      project_id uuid not null references projects on delete cascade,
      first_line bigint not null,
      last_line bigint not null,
      bytes integer not null,
      first_at timestamptz(3) not null,
      last_at timestamptz(3) not null,
      sources text[] not null,
      loose boolean not null,
      packed bytea not null,
      primary key (project_id, first_line)
    )`.execute(db);
  // Packed already: PostgreSQL would try in vain.
  await sql`alter table project_log_blocks alter column packed set storage external`.execute(db);
  await sql`create index project_log_loose on project_log_blocks (project_id, first_line) where loose`.execute(
    db,
  );
}

async function createMetrics(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table project_metrics (
      project_id uuid not null references projects on delete cascade,
      process text not null,
      width text not null check (width in ('minute', 'hour')),
      at timestamptz(0) not null,
      requests bigint not null,
      errors bigint not null,
      latencies bigint[] not null,
      cpu_ms bigint not null,
      memory_sum bigint not null,
      memory_samples bigint not null,
      memory_max bigint not null,
      disk bigint,
      primary key (project_id, width, at, process)
    )`.execute(db);
  await sql`create index project_metrics_by_age on project_metrics (width, at)`.execute(db);
  await sql`
    create function add_counts(bigint[], bigint[]) returns bigint[] language sql immutable parallel safe as $$
      select coalesce(array_agg(coalesce(a, 0) + coalesce(b, 0) order by n), '{}')
      from unnest($1, $2) with ordinality as pair (a, b, n)
    $$`.execute(db);
  await sql`
    create aggregate sum_counts(bigint[]) (sfunc = add_counts, stype = bigint[], initcond = '{}')`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table project_metrics, project_log_blocks, project_logs`.execute(db);
  await sql`drop aggregate sum_counts(bigint[])`.execute(db);
  await sql`drop function add_counts(bigint[], bigint[])`.execute(db);
}
