import { BACKUP_RUNS, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { ObjectStore } from './object-store.ts';

/** What is put to see whether that works, and named by no row. */
const CHECKS = 'checks/';

/**
 * A store from which nothing goes while a backup of the installation is made: what the backup's moment of the database
 * names has to be there until it is copied. Rows go before objects, so what was to go then is one that nothing names,
 * which the sweep of its domain finds later.
 */
export function holdDeletions(store: ObjectStore, db: Kysely<Database>): ObjectStore {
  const backupRuns = async () => {
    const { rows } = await sql<{ runs: boolean }>`select ${sql.raw(BACKUP_RUNS)} as runs`.execute(db);
    return rows[0]?.runs === true;
  };
  return {
    ...store,
    async delete(key) {
      if (!key.startsWith(CHECKS) && (await backupRuns())) return;
      await store.delete(key);
    },
  };
}
