import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabasePast, ManagedDatabase } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addressOf, ask, makeDatabase } from '../databases/database-fixtures.ts';
import { createWorld, type Person, type World } from '../world.ts';
import {
  AT_ONCE,
  arrival,
  backedUp,
  conclusion,
  LONG,
  momentOf,
  numbersIn,
  SOON,
} from './backup-fixtures.ts';

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
  await ask(address, 'create table kept (n int); insert into kept values (1), (2), (3)');
}, LONG);

afterAll(() => world.close(), LONG);

function past(id = database.id): Promise<DatabasePast> {
  return ada.rpc.databaseBackups.get.query({ id });
}

function restore(name: string, at: string | null, id = database.id): Promise<ManagedDatabase> {
  return ada.rpc.databaseBackups.restore.mutate({ id, name, at });
}

describe('where something goes wrong', () => {
  const folderOf = async (kind: 'base' | 'wal') => {
    const { id } = await world.deps.db
      .selectFrom('databaseArchives')
      .select('id')
      .where('databaseId', '=', database.id)
      .executeTakeFirstOrThrow();
    return join(world.deps.settings.dataDir, 'objects', 'data', 'backups', id, kind);
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
      expect(await conclusion(ada, begun)).toMatchObject({
        status: 'failed',
        work: null,
        error: 'It could not be brought back. See the Nephos log, and retry it.',
      });
      const names = await readdir(join(world.deps.settings.dataDir, 'databases'));
      expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
      expect(await numbersIn(address)).toEqual([1, 2, 3]);

      await writeFile(file, good);
      await ada.rpc.databases.retry.mutate({ id: begun.id });
      expect(await numbersIn(await arrival(ada, begun))).toEqual([1, 2, 3]);
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
      const then = await momentOf(address);
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
      expect(await numbersIn(await arrival(ada, await restore('late', then)))).toEqual([1, 2, 3, 4]);
    },
    LONG,
  );

  async function restoredOrNot(at: string): Promise<string> {
    // Refused at once where it was seen already that nothing can be kept.
    const begun = await restore('refused', at).catch(({ data }) => data.reason);
    return begun === 'OUT_OF_REACH' ? 'failed' : (await conclusion(ada, begun)).status;
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
    expect((await conclusion(ada, await restore('too-large', null))).error).toMatch(
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
      await ask(await arrival(ada, begun), 'insert into kept values (6)');
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
      expect(await numbersIn(await arrival(ada, begun))).toEqual([1, 2, 3, 4, 6]);
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
      expect(await numbersIn(await arrival(ada, await restore('asleep', null)))).toEqual([1, 2, 3, 4, 5]);
      expect(await activity()).toBe('asleep');
    },
    LONG,
  );

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
});
