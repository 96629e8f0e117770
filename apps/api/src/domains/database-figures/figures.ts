import { type DatabaseFigures, type FigureRange, METRIC_RANGES } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { databaseNow } from '../../platform/database-clock.ts';
import { findObserved } from './find-observed.ts';

const MINUTE = 60_000;

type Point = DatabaseFigures['points'][number];

/** What a database did in the time of a point. */
interface Row extends Omit<Point, 'at' | 'cacheHits'> {
  /** Which point, from 0. */
  place: number;
  pagesHit: number | null;
  pagesRead: number | null;
}

/** A database's figures over a range that ends at `until`, or now. Throws 404, 409 NOT_POSTGRESQL and NOT_AVAILABLE. */
export async function readFigures(
  { db, ownerId }: UserContext,
  { id, range, until }: { id: string; range: FigureRange; until?: string | undefined },
): Promise<DatabaseFigures> {
  await findObserved(db, ownerId, id);
  const { seconds, step } = METRIC_RANGES[range];
  const now = (await databaseNow(db)).getTime();
  const end = Math.floor(Math.min(now, until ? Date.parse(until) : now) / MINUTE) * MINUTE;
  const from = Math.ceil((end - seconds * 1000) / (step * 1000)) * step * 1000;
  const rows = await readRows(db, id, { from: new Date(from), end: new Date(end), step });
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  const points: Point[] = [];
  for (let at = from; at < end; at += step * 1000) {
    points.push({ at: new Date(at).toISOString(), ...pointOf(byPlace.get(points.length)) });
  }
  return { range, step, points };
}

function pointOf(row: Row | undefined): Omit<Point, 'at'> {
  const [hit, read] = [row?.pagesHit ?? 0, row?.pagesRead ?? 0];
  return {
    size: row?.size ?? null,
    connections: row?.connections ?? null,
    commits: row?.commits ?? null,
    rollbacks: row?.rollbacks ?? null,
    cacheHits: hit + read > 0 ? (100 * hit) / (hit + read) : null,
  };
}

/**
 * A counter that is less than before began anew, so all of it is new. What is between two samples counts for the later
 * one, and what was before the first is not known.
 */
async function readRows(
  db: Kysely<Database>,
  databaseId: string,
  { from, end, step }: { from: Date; end: Date; step: number },
): Promise<Row[]> {
  const grown = (counter: string) => {
    const now = sql.ref(counter);
    const before = sql`lag(${now}) over in_time`;
    return sql`case when ${now} >= ${before} then ${now} - ${before} when ${before} is not null then ${now} end`;
  };
  const { rows } = await sql<Row>`
    with sampled as (
      select at, size, connections, ${grown('commits')} as commits, ${grown('rollbacks')} as rollbacks,
        ${grown('pages_hit')} as hit, ${grown('pages_read')} as read
      from database_metrics
      where database_id = ${databaseId} and at < ${end.toISOString()}
        and at >= coalesce((select max(at) from database_metrics
          where database_id = ${databaseId} and at < ${from.toISOString()}), '-infinity')
      window in_time as (order by at)
    )
    select floor(extract(epoch from at - ${from.toISOString()}::timestamptz) / ${step}::float8)::integer as place,
      ((array_agg(size order by at desc) filter (where size is not null))[1])::float8 as size,
      max(connections) as connections, sum(commits)::float8 as commits, sum(rollbacks)::float8 as rollbacks,
      sum(hit)::float8 as "pagesHit", sum(read)::float8 as "pagesRead"
    from sampled where at >= ${from.toISOString()} group by place`.execute(db);
  return rows;
}
