import { type DatabaseBackup, type DatabasePast, databaseBackups } from '@nephos/contracts';
import { found, implement } from './mock-implement.ts';
import { type MockWorld, mockDatabase } from './mock-world.ts';

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
  proving: false,
};

/** What the world has, or a week of backups. */
function pastOf(world: MockWorld, id: string): DatabasePast {
  found(world.databases, id);
  return { ...PAST, ...world.databasePast };
}

/** Every database has the same past. */
export const databaseBackupsMock = implement(databaseBackups, {
  get: ({ ctx, input }) => pastOf(ctx.world, input.id),
  update: ({ ctx: { world }, input: { id, ...changes } }) => {
    const { keepDays = pastOf(world, id).keepDays, hour = pastOf(world, id).hour } = changes;
    world.databasePast = { ...world.databasePast, keepDays, hour };
    return pastOf(world, id);
  },
  start: ({ ctx: { world }, input }) => {
    const { backups } = pastOf(world, input.id);
    const backup = {
      ...{ ...BACKUP, id: crypto.randomUUID(), size: 0, endedAt: null },
      status: 'running' as const,
    };
    world.databasePast = { ...world.databasePast, backups: [backup, ...backups] };
    return backup;
  },
  prove: ({ ctx: { world }, input }) => {
    world.databasePast = { ...world.databasePast, proving: true };
    return pastOf(world, input.id);
  },
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
