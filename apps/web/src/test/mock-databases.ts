import { databases } from '@nephos/contracts';
import { FREEING_MINUTES } from '@nephos/contracts/constants';
import { found, implement, silence, success } from './mock-implement.ts';
import { type MockWorld, mockDatabase } from './mock-world.ts';

const connectionOf = ({ connectionString, pooledConnectionString, notPooled }: MockWorld) => ({
  connectionString,
  pooledConnectionString,
  notPooled,
});

export const databasesMock = implement(databases, {
  list: ({ ctx }) => ctx.world.databases,
  create: ({ ctx: { world }, input }) => {
    const database = mockDatabase({ ...input, id: crypto.randomUUID(), status: 'creating' });
    world.databases = [database, ...world.databases];
    return database;
  },
  get: ({ ctx, input }) => found(ctx.world.databases, input.id),
  update: ({ ctx: { world }, input: { id, ...wanted } }) => {
    const before = found(world.databases, id);
    const { sleepAfter = before.sleepAfter, sizeClass = before.sizeClass } = wanted;
    const { storageSize = before.storageSize } = wanted;
    const updated = { ...before, sleepAfter, sizeClass, storageSize };
    world.databases = world.databases.map((database) => (database.id === id ? updated : database));
    return updated;
  },
  freeSpace: ({ ctx: { world }, input: { id } }) => {
    const freeingUntil = new Date(Date.now() + FREEING_MINUTES * 60_000).toISOString();
    const freed = { ...found(world.databases, id), freeingUntil };
    world.databases = world.databases.map((database) => (database.id === id ? freed : database));
    return freed;
  },
  cancelWork: ({ ctx: { world }, input: { id } }) => {
    const before = found(world.databases, id);
    const database = { ...before, work: null, workPercent: null };
    world.databases =
      before.status === 'creating'
        ? world.databases.filter((each) => each.id !== id)
        : world.databases.map((each) => (each.id === id ? database : each));
    return before;
  },
  connection: ({ ctx: { world }, input }) => {
    const { passwordChanged } = found(world.databases, input.id);
    return { ...connectionOf(world), passwordChanged };
  },
  usage: ({ ctx: { world }, input }) => {
    found(world.databases, input.id);
    return world.databaseUsage;
  },
  memory: ({ ctx: { world }, input }) => {
    found(world.databases, input.id);
    return world.databaseMemory;
  },
  setMemory: ({ ctx: { world }, input: { id, ...memory } }) => {
    found(world.databases, id);
    world.databaseMemory = memory;
    return memory;
  },
  moveState: ({ ctx: { world }, input }) => {
    const { activity } = found(world.databases, input.id);
    return activity === null
      ? world.databaseMoveState
      : { ...world.databaseMoveState, unavailable: 'It has one.' };
  },
  move: ({ ctx: { world }, input: { id } }) => {
    const database = { ...found(world.databases, id), work: 'moving', workPercent: null } as const;
    world.databases = world.databases.map((each) => (each.id === id ? database : each));
    return database;
  },
  retry: ({ ctx: { world }, input: { id } }) => {
    const retried = { ...found(world.databases, id), status: 'creating', error: '' } as const;
    world.databases = world.databases.map((database) => (database.id === id ? retried : database));
    return retried;
  },
  rotatePassword: ({ ctx: { world }, input }) => {
    const rotated = { ...found(world.databases, input.id), passwordChanged: false };
    world.databases = world.databases.map((database) => (database.id === input.id ? rotated : database));
    const address = new URL(world.connectionString);
    address.password = 'rotated';
    world.connectionString = address.href;
    return { ...connectionOf(world), passwordChanged: false };
  },
  remove: ({ ctx: { world }, input }) => {
    world.databases = world.databases.filter((database) => database.id !== input.id);
    return success;
  },
  engines: ({ ctx }) => ctx.world.databaseEngines,
  changes: silence,
});
