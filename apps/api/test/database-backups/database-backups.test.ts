import type { DatabasePast, ManagedDatabase } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addressOf, ask, makeDatabase } from '../databases/database-fixtures.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { AT_ONCE, arrival, backedUp, LONG, momentOf, numbersIn, SOON } from './backup-fixtures.ts';

let world: World;
let ada: Person;
let database: ManagedDatabase;
let address: string;

beforeAll(async () => {
  world = await createWorld({ running: true, overrides: AT_ONCE });
  ada = await world.as('Ada');
  database = await makeDatabase(ada);
  address = await addressOf(ada, database);
  await backedUp(ada, database);
}, LONG);

afterAll(() => world.close(), LONG);

function past(id = database.id): Promise<DatabasePast> {
  return ada.rpc.databaseBackups.get.query({ id });
}

function restore(name: string, at: string | null, id = database.id): Promise<ManagedDatabase> {
  return ada.rpc.databaseBackups.restore.mutate({ id, name, at });
}

describe('a database with a server of its own', () => {
  test(
    'is backed up by itself, and brought back as of any moment since',
    async () => {
      const { unavailable, kind, keepDays, from, until, size, backups } = await past();
      expect({ unavailable, kind, keepDays }).toEqual({ unavailable: '', kind: 'moment', keepDays: 7 });
      expect(backups).toHaveLength(1);
      expect(size).toBeGreaterThan(backups[0]?.size ?? 0);
      expect(Date.parse(until ?? '')).toBeGreaterThan(Date.parse(from ?? ''));

      await ask(address, 'create table kept (n int); create extension citext; insert into kept values (1)');
      const then = await momentOf(address);
      await ask(address, 'insert into kept values (2)');
      const later = await momentOf(address);
      await ask(address, 'insert into kept values (3)');

      const [first, second, copy] = [
        await restore('then', then),
        await restore('later', later),
        await restore('copy', null),
      ];
      expect(first).toMatchObject({ name: 'then', status: 'creating', work: 'restoring', workPercent: 0 });
      expect(await numbersIn(await arrival(ada, first))).toEqual([1]);
      expect(await numbersIn(await arrival(ada, second))).toEqual([1, 2]);
      const beside = await arrival(ada, copy);
      expect(await numbersIn(beside)).toEqual([1, 2, 3]);

      // The two have nothing in common any more, and the copy has a past of its own.
      await ask(beside, 'insert into kept values (4)');
      expect(await numbersIn(address)).toEqual([1, 2, 3]);
      await vi.waitFor(async () => expect((await past(copy.id)).backups[0]?.status).toBe('done'), SOON);
      await ask(beside, 'insert into kept values (5)');
      // Nothing is done after this moment.
      const last = await momentOf(beside);
      await vi.waitFor(
        async () => expect(Date.parse((await past(copy.id)).until ?? '')).toBeGreaterThan(Date.parse(last)),
        SOON,
      );
      expect(await numbersIn(await arrival(ada, await restore('of-the-copy', last, copy.id)))).toEqual([
        1, 2, 3, 4, 5,
      ]);
    },
    LONG,
  );

  test('is not brought back as of a moment out of reach, or under a name that is taken', async () => {
    const { from, until } = await past();
    const at = new Date(Date.parse(from ?? '') - 1).toISOString();
    expect(
      await ada.rest(`POST /api/databases/${database.id}/restore`, { body: { name: 'no', at } }),
    ).toMatchObject({
      status: 422,
      body: {
        code: 'OUT_OF_REACH',
        message: expect.stringContaining(`from ${from} to ${until?.slice(0, 15)}`),
      },
    });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await expect(restore('no', tomorrow)).rejects.toMatchObject({ data: { reason: 'OUT_OF_REACH' } });
    await expect(restore(database.name, null)).rejects.toMatchObject({ data: { reason: 'EXISTS' } });
    expect((await ada.rpc.databases.list.query()).some(({ name }) => name === 'no')).toBe(false);
  });

  test('is backed up when somebody says so, one at a time', async () => {
    const before = await past();
    const begun = await ada.rest(`POST /api/databases/${database.id}/backups`);
    expect(begun).toMatchObject({ status: 201, body: { status: 'running', endedAt: null, proof: null } });
    await expect(ada.rpc.databaseBackups.start.mutate({ id: database.id })).rejects.toMatchObject({
      data: { reason: 'BUSY' },
    });
    await vi.waitFor(async () => expect((await past()).backups[0]?.status).toBe('done'), SOON);
    const after = await past();
    expect(after.backups).toHaveLength(before.backups.length + 1);
    expect(after.size).toBeGreaterThan(before.size);
  });

  test(
    'is brought back though it was full, and so read-only, when it was backed up',
    async () => {
      const { past: pasts } = world.deps.domains.databases.servers.postgresql;
      const set = (to: string) =>
        pasts?.inDatabase(new URL(address).username, (client) =>
          client.query(`alter system set default_transaction_read_only = ${to}`),
        );
      await set('on');
      await ada.rpc.databaseBackups.start.mutate({ id: database.id });
      await vi.waitFor(async () => expect((await past()).backups[0]?.status).toBe('done'), SOON);
      await set('default');
      const begun = await restore('full', null);
      expect(await numbersIn(await arrival(ada, begun))).toEqual([1, 2, 3]);
      await ada.rpc.databases.remove.mutate({ id: begun.id });
    },
    LONG,
  );

  test('has its past counted as storage of its owner, and loses it with itself', async () => {
    const used = async () => (await ada.rpc.billing.limits.query()).storage.used;
    const { id } = await makeDatabase(ada, { name: 'short' });
    await vi.waitFor(async () => expect((await past(id)).backups[0]?.status).toBe('done'), SOON);
    const { size } = await past(id);
    const full = await used();
    expect(full).toBeGreaterThanOrEqual(size);
    await ada.rpc.databases.remove.mutate({ id });
    expect(await used()).toBeLessThanOrEqual(full - size);
  });

  test('is kept for as long, and backed up when its owner says', async () => {
    const { id } = database;
    const changed = await ada.rest(`PATCH /api/databases/${id}/backups`, { body: { keepDays: 30 } });
    expect(changed).toMatchObject({ status: 200, body: { keepDays: 30, hour: (await past()).hour } });
    expect(await ada.rpc.databaseBackups.update.mutate({ id, hour: 23 })).toMatchObject({
      keepDays: 30,
      hour: 23,
    });
    expect(await ada.rest(`PATCH /api/databases/${id}/backups`, { body: { keepDays: 31 } })).toMatchObject({
      status: 400,
      body: { message: 'Days must be a whole number from 1 to 30.' },
    });
  });
});

test('a restore that is cancelled leaves nothing', async () => {
  const { id } = await restore('cancelled', null);
  await ada.rpc.databases.cancelWork.mutate({ id });
  await vi.waitFor(
    () =>
      expect(ada.rpc.databases.get.query({ id })).rejects.toMatchObject({ data: { reason: 'NOT_FOUND' } }),
    SOON,
  );
});

test("somebody else's past is nobody's", async () => {
  const eve = await world.as('Eve');
  const { id } = database;
  for (const [route, body] of [
    [`GET /api/databases/${id}/backups`],
    [`PATCH /api/databases/${id}/backups`, { hour: 1 }],
    [`POST /api/databases/${id}/backups`],
    [`POST /api/databases/${id}/backups/proof`],
    [`POST /api/databases/${id}/restore`, { name: 'mine' }],
    [`POST /api/databases/${id}/swap`, { withId: id }],
  ] as const) {
    expect(await eve.rest(route, { body })).toMatchObject({ status: 404 });
  }
});
