import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import { createTurns } from '../../platform/turns.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { Domain } from '../domain.ts';
import type { CopyDatabase } from '../previews/preview-copies.ts';
import { type ArchiverTimes, createArchiver } from './archiver.ts';
import { type BackupCare, createBackupCare } from './care.ts';
import { createKeptObjects } from './kept-objects.ts';
import type { PastParts } from './parts.ts';
import { startProof } from './prove-backup.ts';
import { findPast } from './read-past.ts';
import { startBackup, startRestore, updatePast } from './service.ts';
import { startSwap } from './swap.ts';
import { sweepObjects } from './sweep-objects.ts';
import { createPastWork } from './work.ts';

/** The past of people's databases: what is kept of it, and what is brought back. */
export function createDatabaseBackups(
  platform: Pick<Platform, 'db' | 'jobs' | 'objects' | 'secrets' | 'log'>,
  { servers }: Pick<DatabasesParts, 'servers'>,
  times?: ArchiverTimes,
): Domain<typeof contract.databaseBackups> & { care: BackupCare; copy: CopyDatabase } {
  const { db, secrets, log, jobs, objects } = platform;
  const parts: PastParts = {
    ...{ db, secrets, log, servers, past: servers.postgresql.past },
    ...{ kept: createKeptObjects(platform), turns: createTurns() },
  };
  const work = createPastWork({ ...parts, jobs });
  const care = createBackupCare({ ...parts, jobs }, work);
  const archiver = createArchiver(parts, work, times);
  return {
    care,
    copy: (trx, { ownerId, id, name }) =>
      startRestore({ db: trx, ownerId }, parts, work, { id, name, at: null }),
    handlers: {
      get: ({ ctx: { ownerId }, input: { id } }) => findPast(db, parts, { ownerId, id }),
      update: ({ ctx, input }) => updatePast(ctx, parts, input),
      start: ({ ctx, input }) => startBackup(ctx, parts, work, input.id),
      prove: ({ ctx, input }) => startProof(ctx, parts, care, input.id),
      restore: ({ ctx, input }) => startRestore(ctx, parts, work, input),
      swap: ({ ctx, input }) => startSwap(ctx, parts, work, input),
    },
    sweeps: {
      databaseBackups: work.sweep,
      databaseBackupCare: care.sweep,
      databaseArchives: () => sweepObjects(db, objects),
    },
    async catchUp() {
      await Promise.all([work.sweep(), care.sweep()]).catch((error) =>
        log.error({ err: error }, 'backups could not be taken up again'),
      );
      archiver.start();
    },
    async stop() {
      await archiver.stop();
    },
  };
}
