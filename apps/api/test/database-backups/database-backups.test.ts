import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabasePast, ManagedDatabase } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addressOf, ask, makeDatabase } from '../databases/database-fixtures.ts';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;
let database: ManagedDatabase;
let address: string;

const SOON = { timeout: 30_000, interval: 50 };
const LONG = 60_000;

beforeAll(async () => {
  world = await createWorld({
    running: true,
    overrides: { archiverTimes: { lookEvery: 200, firstAfter: 0 } },
  });
  ada = await world.as('Ada');
  database = await makeDatabase(ada);
  address = await addressOf(ada, database);
  await vi.waitFor(async () => expect((await past()).backups[0]?.status).toBe('done'), SOON);
}, LONG);

afterAll(() => world.close(), LONG);

function past(id = database.id): Promise<DatabasePast> {
  return ada.rpc.databaseBackups.get.query({ id });
}

function restore(name: string, at: string | null, id = database.id): Promise<ManagedDatabase> {
  return ada.rpc.databaseBackups.restore.mutate({ id, name, at });
}

/** Once it was brought back: its address. */
async function arrival({ id }: ManagedDatabase): Promise<string> {
  const get = () => ada.rpc.databases.get.query({ id });
  await vi.waitFor(async () => expect((await get()).status).not.toBe('creating'), SOON);
  expect(await get()).toMatchObject({ status: 'available', error: '', work: null, workPercent: null });
  return addressOf(ada, { id });
}

/** The moment by the database's own clock; what is done after it is later. */
async function moment(of = address): Promise<string> {
  const [[now]] = (await ask(of, 'select to_json(clock_timestamp())')) as [[string]];
  await ask(of, 'select pg_sleep(0.005)');
  return new Date(Math.ceil(Date.parse(now))).toISOString();
}

const numbers = async (of: string) => (await ask(of, 'select n from kept order by n')).flat();

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
      const then = await moment();
      await ask(address, 'insert into kept values (2)');
      const later = await moment();
      await ask(address, 'insert into kept values (3)');

      const [first, second, copy] = [
        await restore('then', then),
        await restore('later', later),
        await restore('copy', null),
      ];
      expect(first).toMatchObject({ name: 'then', status: 'creating', work: 'restoring', workPercent: 0 });
      expect(await numbers(await arrival(first))).toEqual([1]);
      expect(await numbers(await arrival(second))).toEqual([1, 2]);
      const beside = await arrival(copy);
      expect(await numbers(beside)).toEqual([1, 2, 3]);

      // The two have nothing in common any more, and the copy has a past of its own.
      await ask(beside, 'insert into kept values (4)');
      expect(await numbers(address)).toEqual([1, 2, 3]);
      await vi.waitFor(async () => expect((await past(copy.id)).backups[0]?.status).toBe('done'), SOON);
      await ask(beside, 'insert into kept values (5)');
      // Nothing is done after this moment.
      const last = await moment(beside);
      await vi.waitFor(
        async () => expect(Date.parse((await past(copy.id)).until ?? '')).toBeGreaterThan(Date.parse(last)),
        SOON,
      );
      expect(await numbers(await arrival(await restore('of-the-copy', last, copy.id)))).toEqual([
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
    'is backed up by the replica on whose machine it is',
    async () => {
      const { db } = world.deps;
      const { id } = await makeDatabase(ada, { name: 'elsewhere' });
      await vi.waitFor(async () => expect((await past(id)).backups[0]?.status).toBe('done'), SOON);
      const row = () => db.selectFrom('managedDatabases').select('home').where('id', '=', id);
      const { home } = await row().executeTakeFirstOrThrow();
      expect(home).toEqual(expect.any(String));
      const isAt = (place: string | null) =>
        db.updateTable('managedDatabases').set({ home: place }).where('id', '=', id).execute();
      await isAt('another');
      await ada.rpc.databaseBackups.start.mutate({ id });
      await wait(3000);
      expect((await past(id)).backups[0]?.status).toBe('running');
      await isAt(home);
      await vi.waitFor(async () => expect((await past(id)).backups[0]?.status).toBe('done'), SOON);
      await ada.rpc.databases.remove.mutate({ id });
    },
    LONG,
  );

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
      expect(await numbers(await arrival(begun))).toEqual([1, 2, 3]);
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

describe('where something goes wrong', () => {
  const folderOf = async (kind: 'base' | 'wal') => {
    const { id } = await world.deps.db
      .selectFrom('databaseArchives')
      .select('id')
      .where('databaseId', '=', database.id)
      .executeTakeFirstOrThrow();
    return join(world.deps.settings.dataDir, 'objects', 'data', 'backups', id, kind);
  };
  const conclusion = async ({ id }: ManagedDatabase) => {
    const get = () => ada.rpc.databases.get.query({ id });
    await vi.waitFor(async () => expect((await get()).status).not.toBe('creating'), SOON);
    return get();
  };

  test(
    'a backup that was meddled with brings nothing back, and what was retried is whole',
    async () => {
      const [newest] = (await past()).backups;
      const file = join(await folderOf('base'), `_${newest?.id.slice(-2)}`, newest?.id ?? '');
      const good = await readFile(file);
      const bad = Buffer.from(good);
      bad[bad.length >> 1] = (bad[bad.length >> 1] ?? 0) ^ 1;
      await writeFile(file, bad);
      const begun = await restore('meddled', null);
      expect(await conclusion(begun)).toMatchObject({
        status: 'failed',
        work: null,
        error: 'It could not be brought back. See the Nephos log, and retry it.',
      });
      const names = await readdir(join(world.deps.settings.dataDir, 'databases'));
      expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
      expect(await numbers(address)).toEqual([1, 2, 3]);

      await writeFile(file, good);
      await ada.rpc.databases.retry.mutate({ id: begun.id });
      expect(await numbers(await arrival(begun))).toEqual([1, 2, 3]);
    },
    LONG,
  );

  test(
    'while the store refuses, the log stays with its server, and what can be reached says so',
    async () => {
      const wal = await folderOf('wal');
      await rename(wal, `${wal}-away`);
      await writeFile(wal, '');
      await ask(address, 'insert into kept values (4)');
      const then = await moment();
      await expect(restoredOrNot(then)).resolves.toBe('failed');
      await vi.waitFor(
        async () => expect(Date.parse((await past()).until ?? '')).toBeLessThan(Date.parse(then)),
        SOON,
      );
      await expect(restore('late', then)).rejects.toMatchObject({ data: { reason: 'OUT_OF_REACH' } });

      await rm(wal);
      await rename(`${wal}-away`, wal);
      await vi.waitFor(
        async () => expect(Date.parse((await past()).until ?? '')).toBeGreaterThan(Date.parse(then)),
        SOON,
      );
      expect(await numbers(await arrival(await restore('late', then)))).toEqual([1, 2, 3, 4]);
    },
    LONG,
  );

  async function restoredOrNot(at: string): Promise<string> {
    // Refused at once where it was seen already that nothing can be kept.
    const begun = await restore('refused', at).catch(({ data }) => data.reason);
    return begun === 'OUT_OF_REACH' ? 'failed' : (await conclusion(begun)).status;
  }

  test('what the disk has no room for is not begun, and says so', async () => {
    const [newest] = (await past()).backups;
    const sized = (size: number) =>
      world.deps.db
        .updateTable('databaseBackups')
        .set({ size })
        .where('id', '=', newest?.id ?? '')
        .execute();
    await sized(1e15);
    expect((await conclusion(await restore('too-large', null))).error).toMatch(
      /^There is not enough room on the server's disk to bring this back: it takes about \d+\.\d\d TB, and/,
    );
    await sized(newest?.size ?? 0);
    expect((await past()).size).toBeLessThan(1e9);
  });

  test(
    'a restore that a stop cut off when all was done is finished',
    async () => {
      const { db } = world.deps;
      const begun = await restore('cut-off', null);
      await ask(await arrival(begun), 'insert into kept values (6)');
      const { id: archiveId } = await db
        .selectFrom('databaseArchives')
        .select('id')
        .where('databaseId', '=', database.id)
        .executeTakeFirstOrThrow();
      await db.insertInto('databaseRestores').values({ databaseId: begun.id, archiveId }).execute();
      await db
        .updateTable('managedDatabases')
        .set({ status: 'creating' })
        .where('id', '=', begun.id)
        .execute();
      await world.deps.domains.databaseBackups.sweeps?.databaseBackups?.();
      expect(await numbers(await arrival(begun))).toEqual([1, 2, 3, 4, 6]);
    },
    LONG,
  );

  test(
    'a database that sleeps is brought back as of now, and sleeps on',
    async () => {
      await ask(address, 'insert into kept values (5)');
      const engineName = new URL(address).username;
      const lock = join(world.deps.settings.dataDir, 'databases', engineName, 'data', 'postmaster.pid');
      process.kill(Number((await readFile(lock, 'utf8')).split('\n', 1)[0]), 'SIGINT');
      const activity = async () => (await ada.rpc.databases.get.query({ id: database.id })).activity;
      await vi.waitFor(async () => expect(await activity()).toBe('asleep'), SOON);
      expect(await numbers(await arrival(await restore('asleep', null)))).toEqual([1, 2, 3, 4, 5]);
      expect(await activity()).toBe('asleep');
    },
    LONG,
  );
});
