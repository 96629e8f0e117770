import { type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { rateLimited } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';

/** Where calls are counted, and whether they are at all (`RATE_LIMITS`). */
interface Counting {
  db: Kysely<Database>;
  settings: Pick<Settings, 'rateLimits'>;
}

export interface Limit {
  /** What is counted, for example `projects.create:<user id>`. */
  key: string;
  /** Calls allowed in one window. */
  calls: number;
  /** Length of the window in seconds. */
  seconds: number;
}

/**
 * A call that began earlier may be counted later, in a window that a younger call opened: as long as a statement can
 * take, that is no clock set back.
 */
const SLACK = sql.raw("interval '5 seconds'");

/** Calls of one window that are added to those that the database knows of. */
interface Sum {
  key: string;
  calls: number;
  /** Length of the window. */
  seconds: number;
}

interface Counted {
  key: string;
  /** Of all replicas. */
  count: number;
  /** Seconds until the window ends. */
  remaining: number;
}

// In the order of their keys, so that replicas that add at the same time do not wait for each other in a circle.
const addTo = prepare((db, parameter: Parameter<{ sums: string }>) =>
  sql<Counted>`
    insert into rate_limits as r (key, count, window_ends)
    select key, calls, now() + make_interval(secs => seconds)
    from jsonb_to_recordset(${parameter('sums')}::jsonb) as s (key text, calls int, seconds int)
    order by key
    on conflict (key) do update set
      count = case when r.window_ends between now() and excluded.window_ends + ${SLACK}
        then r.count + excluded.count else excluded.count end,
      window_ends = case when r.window_ends between now() and excluded.window_ends + ${SLACK}
        then r.window_ends else excluded.window_ends end
    returning key, count, extract(epoch from window_ends - now())::float8 as remaining`.compile(db),
);

/** Adds calls to windows, a key once at most, and resolves to what is counted by then. */
export function addCalls(db: Kysely<Database>, sums: readonly Sum[]): Promise<Counted[]> {
  return addTo(db, { sums: JSON.stringify(sums) });
}

/** The refusal of a call over a limit whose window ends in so many seconds. */
export function overLimit(remaining: number) {
  return rateLimited(Math.max(1, Math.ceil(remaining)));
}

/**
 * Counts one call and throws 429 when it is over the limit. The windows are fixed, shared by all replicas, and run
 * by the database's clock; a window that would end later than its length allows (a clock set back) begins anew.
 */
export async function countCall({ db, settings }: Counting, { key, calls, seconds }: Limit): Promise<void> {
  if (!settings.rateLimits) return;
  const [window] = await addCalls(db, [{ key, calls: 1, seconds }]);
  if (window && window.count > calls) throw overLimit(window.remaining);
}

/** Throws 429 when the calls of a window are used up, without counting one. */
export async function assertNotExhausted(
  { db, settings }: Counting,
  { key, calls, seconds }: Limit,
): Promise<void> {
  if (!settings.rateLimits) return;
  const { rows } = await sql<{ remaining: number }>`
    select ceil(extract(epoch from window_ends - now()))::int as remaining from rate_limits
    where key = ${key} and count >= ${calls}
      and window_ends between now() and now() + make_interval(secs => ${seconds}) + ${SLACK}`.execute(db);
  if (rows[0]) throw overLimit(rows[0].remaining);
}

/** Forgets the calls of a window that has not ended. */
export async function forgetCalls(db: Kysely<Database>, key: string): Promise<void> {
  await db.deleteFrom('rateLimits').where('key', '=', key).execute();
}

/** Takes back one call that was counted. */
export async function takeBackCall(db: Kysely<Database>, key: string): Promise<void> {
  await db
    .updateTable('rateLimits')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('key', '=', key)
    .where('count', '>', 0)
    .execute();
}

/** Forgets windows that have ended. */
export async function sweepRateLimits(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('rateLimits').where('windowEnds', '<', sql<string>`now()`).execute();
}
