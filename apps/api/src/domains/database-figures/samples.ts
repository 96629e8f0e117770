import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Counters } from '../databases/engines/postgres/observer.ts';

/** How long samples are kept, at least. */
const DAYS = 7;

/**
 * Keeps what databases did in the minute of `at`, in one statement. Another replica that looked at the same server was
 * as right; what has no row by now is dropped.
 */
export async function storeSamples(
  db: Kysely<Database>,
  counters: readonly Counters[],
  at: Date,
): Promise<void> {
  if (counters.length === 0) return;
  // Every replica writes in the order of ids, so that no two wait for each other.
  await sql`
    insert into database_metrics (database_id, at, size, connections, commits, rollbacks, pages_hit, pages_read)
    select managed.id, date_trunc('minute', ${at.toISOString()}::timestamptz), size, connections, commits, rollbacks,
      "pagesHit", "pagesRead"
    from jsonb_to_recordset(${JSON.stringify(counters)}::jsonb) as counted (name text, size bigint,
      connections integer, commits bigint, rollbacks bigint, "pagesHit" bigint, "pagesRead" bigint)
    join managed_databases managed on managed.engine_name = counted.name and managed.type = 'postgresql'
    order by managed.id
    on conflict do nothing`.execute(db);
}

export async function sweepSamples(db: Kysely<Database>): Promise<void> {
  await sql`delete from database_metrics where at < now() - make_interval(days => ${DAYS})`.execute(db);
}
