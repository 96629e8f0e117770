import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Platform } from '../../platform/platform.ts';
import { type DatabaseEngine, type DatabaseEngines, NotMovable } from './engines/engine.ts';
import { endWork, tellProgress, WorkCancelled } from './long-work.ts';
import { Elsewhere } from './server-place.ts';
import { createWorkTeller } from './work-teller.ts';

/** Moves of databases to servers of their own, in the background. */
export interface MoveWork {
  /** Moves the database of a row that says `moving`, once `trx` commits. */
  move(trx: Kysely<Database>, id: string): Promise<void>;
  /** Takes up what a killed process left undone. */
  sweep(): Promise<void>;
}

type Parts = Pick<Platform, 'db' | 'log'> & { servers: DatabaseEngines };

const LONGEST = 12 * 60 * 60;
/** For a week and longer: what waits for its server, or for the machine that has it, must not stay half done. */
const RETRIES = 1000;
const LONGEST_PAUSE = 10 * 60;
const FAILED = 'The database could not be moved and is where it was. See the Nephos log, and try again.';

/** Defines the queue; the jobs begin with `jobs.start()`. */
export function createMoveWork(parts: Parts & Pick<Platform, 'jobs'>): MoveWork {
  const { db, jobs } = parts;
  const queue = jobs.queue<{ id: string }>(
    'database-moves',
    // Each takes a copy of all that shares the server.
    { concurrency: 1, expireInSeconds: LONGEST, retryLimit: RETRIES, longestPause: LONGEST_PAUSE },
    ({ id }, signal) => move(parts, id, signal),
  );
  return {
    move: (trx, id) => queue.enqueue(trx, { id }, { group: id }),
    async sweep() {
      const rows = await db
        .selectFrom('managedDatabases')
        .select('id')
        .where('work', '=', 'moving')
        .execute();
      if (rows.length === 0) return;
      const worked = new Set((await queue.unfinished()).map(({ id }) => id));
      for (const { id } of rows) if (!worked.has(id)) await queue.enqueue(db, { id }, { group: id });
    },
  };
}

/** Moves the database of a row that is `moving`, and says there what became of it. May be repeated. */
async function move(parts: Parts, id: string, signal: AbortSignal): Promise<void> {
  const { db, servers, log } = parts;
  const row = await db
    .selectFrom('managedDatabases')
    .select(['type', 'engineName'])
    .where('id', '=', id)
    .where('work', '=', 'moving')
    .executeTakeFirst();
  if (!row) return;
  const engine = servers[row.type];
  try {
    // What has a server of its own is known only then.
    await engine.home?.();
    await moveAtServer(parts, { id, engine, name: row.engineName, signal });
  } catch (error) {
    // Once it has a server of its own, what is left has to be done.
    if (signal.aborted || error instanceof Elsewhere || engine.lastStart?.(row.engineName)) throw error;
    if (!(error instanceof WorkCancelled))
      log.error({ err: error, database: id }, 'a database could not be moved');
    await conclude(db, id, reasonOf(error));
    return;
  }
  await conclude(db, id, '');
}

async function moveAtServer(
  parts: Parts,
  { id, engine, name, signal }: { id: string; engine: DatabaseEngine; name: string; signal: AbortSignal },
): Promise<void> {
  // Once it has a server of its own, a cancellation comes too late: what is left has to be done.
  if (!engine.lastStart?.(name)) await tellProgress(parts.db, id, 0);
  const tell = createWorkTeller(parts, id);
  try {
    const isHere = await engine.move?.(name, {
      progress: (done) => tell.note(done * 100),
      signal: AbortSignal.any([signal, tell.cancelled]),
    });
    if (!isHere) throw new Elsewhere();
  } catch (error) {
    throw tell.cancelled.aborted ? tell.cancelled.reason : error;
  } finally {
    await tell.end();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof WorkCancelled) return '';
  return error instanceof NotMovable ? error.message : FAILED;
}

function conclude(db: Kysely<Database>, id: string, moveError: string): Promise<void> {
  return atomically(db, async (trx) => {
    await trx.updateTable('managedDatabases').set({ moveError }).where('id', '=', id).execute();
    await endWork(trx, id);
  });
}
