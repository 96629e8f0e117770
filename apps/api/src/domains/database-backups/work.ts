import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Jobs } from '../../platform/jobs.ts';
import { makeBackup } from './make-backup.ts';
import type { PastParts } from './parts.ts';
import { restore } from './restore.ts';
import { swap } from './swap.ts';

/** What is done about the past of databases in the background. */
export interface PastWork {
  /** Makes a backup once `trx` commits; resolves to the id of its row, which says `running`. */
  backUp(trx: Kysely<Database>, archiveId: string): Promise<string>;
  /** Makes the database of a row that says `creating` of what was kept of another. */
  restore(trx: Kysely<Database>, databaseId: string): Promise<void>;
  /** Lets two databases change places. */
  swap(trx: Kysely<Database>, id: string): Promise<void>;
  /** Takes up what a killed process left undone. */
  sweep(): Promise<void>;
}

const LONGEST = 12 * 60 * 60;
const RETRIES = 5;

/** Defines the queues; the jobs begin with `jobs.start()`. */
export function createPastWork(parts: PastParts & { jobs: Jobs }): PastWork {
  const { db, jobs } = parts;
  const options = { expireInSeconds: LONGEST, retryLimit: RETRIES };
  const backups = jobs.queue<{ id: string }>(
    'database-backups',
    { ...options, concurrency: 1 },
    ({ id }, signal) => makeBackup(parts, id, signal),
  );
  const restores = jobs.queue<{ id: string }>(
    'database-restores',
    { ...options, concurrency: 2, oneAtATimePerGroup: true },
    ({ id }, signal) => restore(parts, id, signal),
  );
  const swaps = jobs.queue<{ id: string }>('database-swaps', { ...options, concurrency: 1 }, ({ id }) =>
    swap(parts, id),
  );
  return {
    async backUp(trx, archiveId) {
      const { id } = await trx
        .insertInto('databaseBackups')
        .values({ archiveId })
        .returning('id')
        .executeTakeFirstOrThrow();
      await backups.enqueue(trx, { id });
      return id;
    },
    restore: (trx, id) => restores.enqueue(trx, { id }, { group: id }),
    swap: (trx, id) => swaps.enqueue(trx, { id }),
    async sweep() {
      const swapping = await db.selectFrom('databaseSwaps').select('id').execute();
      const running = await db
        .selectFrom('databaseBackups')
        .select('id')
        .where('status', '=', 'running')
        .execute();
      const restoring = await db
        .selectFrom('managedDatabases')
        .innerJoin('databaseRestores', 'databaseRestores.databaseId', 'managedDatabases.id')
        .select('id')
        .where('status', '=', 'creating')
        .execute();
      for (const [rows, queue] of [
        [running, backups],
        [restoring, restores],
        [swapping, swaps],
      ] as const) {
        if (rows.length === 0) continue;
        const worked = new Set((await queue.unfinished()).map(({ id }) => id));
        for (const { id } of rows) if (!worked.has(id)) await queue.enqueue(db, { id }, { group: id });
      }
    },
  };
}
