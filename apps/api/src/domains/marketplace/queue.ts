import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Platform } from '../../platform/platform.ts';
import { actAs } from './act-as.ts';
import type { MarketplaceParts } from './marketplace.ts';
import { runInstallation } from './run.ts';

/** Works on installations in the background. */
export interface InstallationQueue {
  /** Brings an installation to its end once `trx` commits, whatever happens to this process. */
  run(trx: Kysely<Database>, id: string): Promise<void>;
  /** Queues installations that nothing works on. */
  sweep(): Promise<void>;
  /** Interrupts those that this process works on; they go on after the next start. */
  stop(): void;
}

const AT_ONCE = 8;
/** Seconds: longer than any item's waits together. */
const EXPIRES = 2 * 60 * 60;
/** For a week and longer: an installation must not stay half-way for good. */
const RETRIES = 1000;
const LONGEST_PAUSE = 10 * 60;

/** Defines the queue; the jobs begin with `jobs.start()`. */
export function createInstallationQueue(
  parts: MarketplaceParts & Pick<Platform, 'db' | 'jobs'>,
): InstallationQueue {
  const { db, jobs } = parts;
  const stopping = new AbortController();
  const queue = jobs.queue<{ id: string }>(
    'installations',
    {
      concurrency: AT_ONCE,
      expireInSeconds: EXPIRES,
      retryLimit: RETRIES,
      longestPause: LONGEST_PAUSE,
      oneAtATimePerGroup: true,
    },
    async ({ id }, signal) => {
      const rows = underWay(db).selectAll().where('id', '=', id);
      const row = await rows.executeTakeFirst();
      if (!row) return;
      const ctx = await actAs(db, row.ownerId, id);
      await runInstallation({ ctx, parts, row, signal: AbortSignal.any([signal, stopping.signal]) });
    },
  );

  return {
    run: (trx, id) => queue.enqueue(trx, { id }, { group: id }),
    async sweep() {
      // The rows first: what is enqueued after that has its job by the time the jobs are read.
      const rows = await underWay(db).select('id').execute();
      if (rows.length === 0) return;
      const worked = new Set((await queue.unfinished()).map(({ id }) => id));
      for (const { id } of rows) if (!worked.has(id)) await queue.enqueue(db, { id }, { group: id });
    },
    stop: () => stopping.abort(),
  };
}

function underWay(db: Kysely<Database>) {
  return db.selectFrom('installations').where('status', '=', 'installing');
}
