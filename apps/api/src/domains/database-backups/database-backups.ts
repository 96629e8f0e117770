import type { contract } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { conflict } from '../../core/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import { findDatabase } from '../databases/read.ts';
import type { Domain } from '../domain.ts';
import { type ArchiverTimes, createArchiver } from './archiver.ts';
import { createKeptObjects } from './kept-objects.ts';
import type { PastParts } from './parts.ts';
import { findPast } from './read-past.ts';
import { startBackup, startRestore, updatePast } from './service.ts';
import { startSwap } from './swap.ts';
import { sweepObjects } from './sweep-objects.ts';
import { createTurns } from './turns.ts';
import { createPastWork } from './work.ts';

/** The past of people's databases: what is kept of it, and what is brought back. */
export function createDatabaseBackups(
  platform: Pick<Platform, 'db' | 'jobs' | 'objects' | 'secrets' | 'log'>,
  { servers }: Pick<DatabasesParts, 'servers'>,
  times?: ArchiverTimes,
): Domain<typeof contract.databaseBackups> {
  const { db, secrets, log, jobs, objects } = platform;
  const parts: PastParts = {
    ...{ db, secrets, log, servers, past: servers.postgresql.past },
    ...{ kept: createKeptObjects(platform), turns: createTurns() },
  };
  const work = createPastWork({ ...parts, jobs });
  const archiver = createArchiver(parts, work, times);
  const refused = async ({ ctx, input }: { ctx: UserContext; input: { id: string } }) => {
    await findDatabase(ctx.db, ctx.ownerId, input.id);
    throw conflict('NO_BACKUPS', 'This cannot be done yet.');
  };
  return {
    handlers: {
      get: ({ ctx: { ownerId }, input: { id } }) => findPast(db, parts, { ownerId, id }),
      update: ({ ctx, input }) => updatePast(ctx, parts, input),
      start: ({ ctx, input }) => startBackup(ctx, parts, work, input.id),
      prove: refused,
      restore: ({ ctx, input }) => startRestore(ctx, parts, work, input),
      swap: ({ ctx, input }) => startSwap(ctx, parts, work, input),
    },
    sweeps: { databaseArchives: () => sweepObjects(db, objects), databaseBackups: work.sweep },
    async catchUp() {
      await work.sweep().catch((error) => log.error({ err: error }, 'backups could not be taken up again'));
      archiver.start();
    },
    async stop() {
      await archiver.stop();
    },
  };
}
