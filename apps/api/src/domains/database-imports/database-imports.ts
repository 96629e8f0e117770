import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { Domain } from '../domain.ts';
import type { ImportParts } from './parts.ts';
import { findPgRestore } from './pg-restore.ts';
import { listImports, startImport } from './service.ts';
import { createImportWork } from './work.ts';

/** Dumps that people bring into their PostgreSQL databases. */
export function createDatabaseImports(
  {
    db,
    jobs,
    objects,
    secrets,
    log,
    settings,
  }: Pick<Platform, 'db' | 'jobs' | 'objects' | 'secrets' | 'log' | 'settings'>,
  { servers, work: databaseWork }: Pick<DatabasesParts, 'servers' | 'work'>,
): Domain<typeof contract.databaseImports> {
  const parts: ImportParts = {
    ...{ db, objects, secrets, log, servers, work: databaseWork },
    pgRestore: () => findPgRestore(settings.hostEnvironment.PATH),
  };
  const work = createImportWork({ ...parts, jobs });
  return {
    handlers: {
      list: ({ ctx, input }) => listImports(ctx, input),
      start: ({ ctx, input }) => startImport(ctx, parts, work, input),
    },
    sweeps: { databaseImports: work.sweep },
    async catchUp() {
      await work.sweep().catch((error) => log.error({ err: error }, 'imports could not be taken up again'));
    },
  };
}
