import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Deps } from '../../context.ts';
import { actAs } from './act-as.ts';
import { runInstallation } from './run.ts';

/** Works on installations in the background. */
export interface InstallationQueue {
  /** Brings an installation to its end once `trx` commits, whatever happens to this process. */
  run(trx: Kysely<Database>, id: string): Promise<void>;
  /** Takes up installations that nothing works on. */
  sweep(): Promise<void>;
  /** Interrupts those that this process works on; they go on after the next start. */
  stop(): void;
}

const AT_ONCE = 8;
/** Seconds: longer than any recipe's waits together. */
const EXPIRES = 2 * 60 * 60;
/** For a week and longer: an installation must not stay half-way for good. */
const RETRIES = 1000;
const LONGEST_PAUSE = 10 * 60;

/** Defines the queue; the jobs begin with `jobs.start()`. */
export function createInstallationQueue(parts: Omit<Deps, 'installations'>): InstallationQueue {
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
      const row = await db
        .selectFrom('installations')
        .selectAll()
        .where('id', '=', id)
        .where('status', '=', 'installing')
        .executeTakeFirst();
      if (!row) return;
      const ctx = await actAs({ ...parts, installations }, row.ownerId, id);
      await runInstallation({ ctx, row, signal: AbortSignal.any([signal, stopping.signal]) });
    },
  );

  const installations: InstallationQueue = {
    run: (trx, id) => queue.enqueue(trx, { id }, { group: id }),
    async sweep() {
      // The rows first: what is enqueued after that has its job by the time the jobs are read.
      const rows = await db
        .selectFrom('installations')
        .select('id')
        .where('status', '=', 'installing')
        .execute();
      if (rows.length === 0) return;
      const worked = new Set((await queue.unfinished()).map(({ id }) => id));
      for (const { id } of rows) if (!worked.has(id)) await queue.enqueue(db, { id }, { group: id });
    },
    stop: () => stopping.abort(),
  };
  return installations;
}
