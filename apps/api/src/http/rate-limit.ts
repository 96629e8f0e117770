import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { rateLimited } from '../errors.ts';

export interface Limit {
  /** What is counted, for example `projects.create:<user id>`. */
  key: string;
  /** Calls allowed in one window. */
  calls: number;
  /** Length of the window in seconds. */
  seconds: number;
}

/**
 * Counts one call and throws 429 when it is over the limit. The windows are fixed, shared by all replicas, and run
 * by the database's clock; a window that would end later than its length allows (a clock set back) begins anew.
 */
export async function countCall(db: Kysely<Database>, { key, calls, seconds }: Limit): Promise<void> {
  const { rows } = await sql<{ count: number; remaining: number }>`
    insert into rate_limits as r (key, count, window_ends)
    values (${key}, 1, now() + make_interval(secs => ${seconds}))
    on conflict (key) do update set
      count = case when r.window_ends between now() and excluded.window_ends then r.count + 1 else 1 end,
      window_ends = case when r.window_ends between now() and excluded.window_ends
        then r.window_ends else excluded.window_ends end
    returning count, ceil(extract(epoch from window_ends - now()))::int as remaining`.execute(db);
  const [window] = rows;
  if (window && window.count > calls) throw rateLimited(Math.max(1, window.remaining));
}

/** Forgets windows that have ended. */
export async function sweepRateLimits(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('rateLimits').where('windowEnds', '<', sql<string>`now()`).execute();
}
