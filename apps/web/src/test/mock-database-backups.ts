import { type DatabaseBackup, type DatabasePast, databaseBackups } from '@nephos/contracts';
import { found, implement } from './mock-implement.ts';
import { mockDatabase } from './mock-world.ts';

const BACKUP: DatabaseBackup = {
  id: '01980000-0000-7000-8000-000000000801',
  status: 'done',
  error: '',
  size: 2_000_000,
  startedAt: '2026-11-24T02:00:00.000Z',
  endedAt: '2026-11-24T02:00:04.000Z',
  proof: null,
};

const PAST: DatabasePast = {
  unavailable: '',
  kind: 'moment',
  from: '2026-11-17T02:00:04.000Z',
  until: '2026-11-24T10:00:00.000Z',
  size: 12_000_000,
  keepDays: 7,
  hour: 2,
  backups: [BACKUP],
  lastProof: null,
};

/** Each database with the same week behind it. */
export const databaseBackupsMock = implement(databaseBackups, {
  get: ({ ctx, input }) => found(ctx.world.databases, input.id) && PAST,
  update: ({ ctx, input: { id, ...changes } }) => {
    found(ctx.world.databases, id);
    const { keepDays = PAST.keepDays, hour = PAST.hour } = changes;
    return { ...PAST, keepDays, hour };
  },
  start: ({ ctx, input }) => {
    found(ctx.world.databases, input.id);
    return { ...BACKUP, id: crypto.randomUUID(), status: 'running' as const, size: 0, endedAt: null };
  },
  prove: ({ ctx, input }) => found(ctx.world.databases, input.id) && PAST,
  restore: ({ ctx: { world }, input: { id, name } }) => {
    const { type, region, storageSize } = found(world.databases, id);
    const database = mockDatabase({
      ...{ name, type, region, storageSize, id: crypto.randomUUID() },
      ...{ status: 'creating', work: 'restoring', workPercent: 0 },
    });
    world.databases = [database, ...world.databases];
    return database;
  },
  swap: ({ ctx, input }) => {
    found(ctx.world.databases, input.withId);
    return found(ctx.world.databases, input.id);
  },
});
