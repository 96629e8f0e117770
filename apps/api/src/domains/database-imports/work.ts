import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Jobs } from '../../platform/jobs.ts';
import { importDump } from './import-dump.ts';
import type { ImportParts } from './parts.ts';

/** What is done about imports in the background. */
export interface ImportWork {
  /** Imports the dump of a row that says `running` once `trx` commits. */
  enqueue(trx: Kysely<Database>, id: string): Promise<void>;
  /** Takes up what a killed process left undone. */
  sweep(): Promise<void>;
}

const AT_ONCE = 2;
const LONGEST = 12 * 60 * 60;
const RETRIES = 5;

/** Defines the queue; the jobs begin with `jobs.start()`. */
export function createImportWork(parts: ImportParts & { jobs: Jobs }): ImportWork {
  const { db, jobs } = parts;
  const queue = jobs.queue<{ id: string }>(
    'database-imports',
    { concurrency: AT_ONCE, expireInSeconds: LONGEST, retryLimit: RETRIES },
    ({ id }, signal) => importDump(parts, id, signal),
  );
  return {
    enqueue: (trx, id) => queue.enqueue(trx, { id }, { group: id }),
    async sweep() {
      const rows = await db
        .selectFrom('databaseImports')
        .select('id')
        .where('status', '=', 'running')
        .execute();
      if (rows.length === 0) return;
      const worked = new Set((await queue.unfinished()).map(({ id }) => id));
      for (const { id } of rows) if (!worked.has(id)) await queue.enqueue(db, { id }, { group: id });
    },
  };
}
