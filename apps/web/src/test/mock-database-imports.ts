import { databaseImports } from '@nephos/contracts';
import { implement } from './mock-implement.ts';

export const databaseImportsMock = implement(databaseImports, {
  list: ({ ctx }) => ctx.world.databaseImports,
  start: ({ ctx: { world }, input: { fileId, url } }) => {
    const made = {
      id: crypto.randomUUID(),
      name: url ? new URL(url).host : (world.files.find(({ id }) => id === fileId)?.fileName ?? ''),
      status: 'running' as const,
      ...{ error: '', size: 0, statements: 0, skipped: [] },
      ...{ startedAt: '2026-11-24T10:00:00.000Z', endedAt: null },
    };
    world.databaseImports = [made, ...world.databaseImports];
    return made;
  },
});
