import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Jobs } from '../../platform/jobs.ts';
import type { PastParts } from './parts.ts';
import { proveBackup, startDueProofs } from './prove-backup.ts';
import { forgetOldBackups } from './retention.ts';
import { startDueBackups } from './schedule.ts';
import type { PastWork } from './work.ts';

/** What is done about backups by itself: they are made nightly, proved weekly, and forgotten in time. */
export interface BackupCare {
  /** Proves the latest backup of an archive once `trx` commits. */
  prove(trx: Kysely<Database>, archiveId: string): Promise<void>;
  /** Begins what is due by `now`. */
  startDue(now?: Date): Promise<void>;
  /** Takes up what a killed process left undone, and forgets what was kept long enough. */
  sweep(): Promise<void>;
}

const LONGEST = 12 * 60 * 60;
const RETRIES = 3;
const EVERY_FIVE_MINUTES = '*/5 * * * *';

/** Defines the queue and the schedule; the jobs begin with `jobs.start()`. */
export function createBackupCare(
  parts: PastParts & { jobs: Jobs },
  work: Pick<PastWork, 'backUp'>,
): BackupCare {
  const { db, jobs } = parts;
  const proofs = jobs.queue<{ id: string }>(
    'database-proofs',
    { concurrency: 1, expireInSeconds: LONGEST, retryLimit: RETRIES },
    ({ id }, signal) => proveBackup(parts, id, signal),
  );
  const prove = (trx: Kysely<Database>, id: string) => proofs.enqueue(trx, { id });

  async function startDue(now?: Date): Promise<void> {
    await startDueBackups(parts, work, now);
    await startDueProofs(db, { prove }, now);
  }

  jobs.schedule('database-backups.due', EVERY_FIVE_MINUTES, () => startDue());
  return {
    prove,
    startDue,
    async sweep() {
      await forgetOldBackups(db);
      const proving = await db
        .selectFrom('databaseArchives')
        .select('id')
        .where('provingSince', 'is not', null)
        .execute();
      if (proving.length === 0) return;
      const worked = new Set((await proofs.unfinished()).map(({ id }) => id));
      for (const { id } of proving) if (!worked.has(id)) await prove(db, id);
    },
  };
}
