import { setTimeout as wait } from 'node:timers/promises';
import type { DatabasePast, ManagedDatabase } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { addressOf, makeDatabase } from '../databases/database-fixtures.ts';
import { openMysql } from '../databases/mysql-session.ts';
import { createWorld, type Person, type World } from '../world.ts';

const present = requireTool('mariadbd') && requireTool('mariadb');
/** Milliseconds after which the server tells that nothing was written to a table. */
const STILL_MS = 3500;
const SOON = { timeout: 60_000, interval: 50 };

describe.skipIf(!present)('a MySQL database', () => {
  let world: World;
  let ada: Person;
  let database: ManagedDatabase;
  let address: string;

  beforeAll(async () => {
    world = await createWorld({ running: true });
    ada = await world.as('Ada');
    database = await makeDatabase(ada, { type: 'mysql' });
    address = await addressOf(ada, database);
    await query('create table notes (n int)');
    await query('insert into notes values (1)');
  });
  afterAll(() => world.close());

  async function query(sql: string, of = address): Promise<unknown> {
    const session = await openMysql(of);
    const [rows] = await session.query(sql);
    await session.end();
    return rows;
  }

  const past = (): Promise<DatabasePast> => ada.rpc.databaseBackups.get.query(database);

  async function backUp() {
    const { id } = await ada.rpc.databaseBackups.start.mutate(database);
    const find = async () => (await past()).backups.find((backup) => backup.id === id);
    await vi.waitFor(async () => expect((await find())?.status).not.toBe('running'), SOON);
    return find();
  }

  async function arrival({ id }: ManagedDatabase): Promise<ManagedDatabase> {
    const get = () => ada.rpc.databases.get.query({ id });
    await vi.waitFor(async () => expect((await get()).status).not.toBe('creating'), SOON);
    return get();
  }

  test('is backed up by a dump, and brought back as of each backup, or as it is now', async () => {
    expect(await past()).toMatchObject({ unavailable: '', kind: 'backup', from: null, backups: [] });
    const refused = await ada.rest(`POST /api/databases/${database.id}/backups/proof`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'NO_BACKUPS' } });
    const backup = await backUp();
    expect(backup).toMatchObject({ status: 'done', error: '', size: expect.any(Number) });
    expect((await past()).from).toBe(backup?.startedAt);
    await query('insert into notes values (2)');
    const restore = (name: string, more = {}) =>
      ada.rpc.databaseBackups.restore.mutate({ id: database.id, name, ...more });
    const [then, now] = [await restore('then', { backupId: backup?.id }), await restore('now')];
    expect(then).toMatchObject({ status: 'creating', work: 'restoring', type: 'mysql' });
    for (const [made, rows] of [
      [then, [{ n: 1 }]],
      [now, [{ n: 1 }, { n: 2 }]],
    ] as const) {
      expect(await arrival(made)).toMatchObject({ status: 'available', work: null });
      expect(await query('select n from notes order by n', await addressOf(ada, made))).toEqual(rows);
    }
    expect(
      await ada.rest(`POST /api/databases/${database.id}/restore`, {
        body: { name: 'never', at: '2020-01-01T00:00:00Z' },
      }),
    ).toMatchObject({ status: 422, body: { code: 'OUT_OF_REACH' } });
  });

  async function prove() {
    expect(await ada.rpc.databaseBackups.prove.mutate(database)).toMatchObject({ proving: true });
    await vi.waitFor(async () => expect((await past()).proving).toBe(false), SOON);
    return (await past()).lastProof;
  }

  test('is proved by a restore that leaves nothing behind, and is compared with what it was', async () => {
    const before = await query('show databases');
    // Written to a moment ago, it is not known to be still.
    await query('insert into notes values (3)');
    await backUp();
    const restored = '1 table with 3 rows restored, and checked by the server';
    expect(await prove()).toMatchObject({
      succeeded: true,
      detail: `${restored}. The rows of 1 table are not compared: something was written there while the backup was made.`,
    });
    await wait(STILL_MS);
    await backUp();
    // As if the dump had left one out.
    await sql`update database_backups set row_counts = '{"notes": 4}' where row_counts is not null`.execute(
      world.deps.db,
    );
    expect(await prove()).toMatchObject({
      succeeded: false,
      detail: 'The table notes has 3 rows in place of 4 rows.',
    });
    await backUp();
    await query('delete from notes where n = 3');
    expect(await prove()).toMatchObject({
      succeeded: true,
      detail: `${restored}: as many rows as when the backup was made.`,
    });
    expect(await query('show databases')).toEqual(before);
  });

  test('says why it could not be backed up', async () => {
    await query("set password = password('her-own')");
    expect(await backUp()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('The database could not be read: Got error: 1045: "Access denied'),
    });
    await world.deps.domains.alerts.watch();
    const alerts = await ada.rpc.alerts.list.query({ view: 'open' });
    expect(alerts.map(({ kind, subject }) => [kind, subject.name])).toEqual([['backup-failed', 'main']]);
    address = (await ada.rpc.databases.rotatePassword.mutate(database)).connectionString;
    expect(await backUp()).toMatchObject({ status: 'done' });
    await world.deps.domains.alerts.watch();
    expect(await ada.rpc.alerts.list.query({ view: 'open' })).toEqual([]);
  });
});
