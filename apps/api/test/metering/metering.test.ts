import { GB } from '@nephos/contracts';
import { createDb, createPool } from '@nephos/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { meterUsage } from '../../src/domains/metering/meter-usage.ts';
import { createWorld, type Person, type World } from '../world.ts';
import {
  addDatabase,
  addFile,
  forgetUsage,
  HOUR,
  linesOf,
  SETTLED,
  START,
  tellTime,
} from './metering-world.ts';

let world: World;
let ada: Person;
let at: (seconds: number) => Promise<void>;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  at = await tellTime(world.deps.db, START);
});

beforeEach(() => forgetUsage(world.deps.db, START));
afterAll(() => world.close());

const makeDatabase = (storageSize: number, { user } = ada) =>
  addDatabase(world.deps.db, { ownerId: user.id, storageSize });
const storeFile = (fileSize: number) => addFile(world.deps.db, { ownerId: ada.user.id, fileSize });
const removeDatabase = (id: string) =>
  world.deps.db.deleteFrom('managedDatabases').where('id', '=', id).execute();

const lines = () => linesOf(world.deps.db, START);

test('an hour is metered when it has settled, not a second before', async () => {
  await makeDatabase(10);
  await at(HOUR + SETTLED - 1);
  await meterUsage(world.deps.db);
  expect(await lines()).toEqual([]);
  await at(HOUR + SETTLED);
  await meterUsage(world.deps.db);
  expect(await lines()).toMatchObject([{ type: 'database', hour: 0, amount: 10 }]);
});

test('what was made or deleted at the edge of an hour is in one hour alone', async () => {
  const id = await makeDatabase(10);
  await at(HOUR);
  await removeDatabase(id);
  const next = await makeDatabase(20);
  await at(2 * HOUR);
  await removeDatabase(next);
  await at(5 * HOUR);
  await meterUsage(world.deps.db);
  expect((await lines()).map(({ hour, amount }) => [hour, amount])).toEqual([
    [0, 10],
    [1, 20],
  ]);
});

test('what is deleted in mid-hour costs the part that it was there', async () => {
  const id = await makeDatabase(40);
  await storeFile(4 * GB);
  await at(HOUR / 4);
  await removeDatabase(id);
  await world.deps.db.deleteFrom('storedFiles').execute();
  await at(5 * HOUR);
  await meterUsage(world.deps.db);
  const amounts = (await lines()).map(({ type, resource, amount }) => ({ type, resource, amount }));
  expect(amounts).toHaveLength(2);
  expect(amounts).toEqual(
    expect.arrayContaining([
      { type: 'database', resource: id, amount: 10 },
      { type: 'storage', resource: null, amount: 1 },
    ]),
  );
});

test('a database counts from when it can be used', async () => {
  const { id } = await world.deps.db
    .insertInto('managedDatabases')
    .values({
      ownerId: ada.user.id,
      name: 'x',
      type: 'postgresql',
      region: 'us-east-1',
      storageSize: 10,
      engineName: 'x',
      password: Buffer.alloc(1),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await at(HOUR / 2);
  await world.deps.db
    .updateTable('managedDatabases')
    .set({ status: 'available' })
    .where('id', '=', id)
    .execute();
  await at(2 * HOUR);
  await meterUsage(world.deps.db);
  expect(await lines()).toMatchObject([{ amount: 5 }]);
});

describe('however often and wherever it runs', () => {
  test('five at once on two replicas write each resource and hour once', async () => {
    const replica = await createWorld({ databaseUrl: world.databaseUrl });
    try {
      for (let nth = 0; nth < 3; nth += 1) await makeDatabase(10);
      await storeFile(GB);
      await at(30 * HOUR + SETTLED);
      await Promise.all(
        Array.from({ length: 5 }, (_, nth) => meterUsage((nth % 2 ? replica : world).deps.db)),
      );
      expect(await lines()).toHaveLength(4 * 30);
    } finally {
      await replica.close();
    }
  });

  test('an hour that is metered again changes nothing, and neither does its sum', async () => {
    await makeDatabase(10);
    await storeFile(GB);
    await at(3 * HOUR + SETTLED);
    await meterUsage(world.deps.db);
    const { db } = world.deps;
    const before = await db.selectFrom('usageRecords').selectAll().orderBy('id').execute();
    const days = await db.selectFrom('usageDays').select('cost').orderBy('cost').execute();
    // As a crash between the two would have it, were they not one.
    await db.updateTable('usageMetering').set({ meteredUntil: START }).execute();
    await meterUsage(db);
    expect(await db.selectFrom('usageRecords').selectAll().orderBy('id').execute()).toEqual(before);
    expect(await db.selectFrom('usageDays').select('cost').orderBy('cost').execute()).toEqual(days);
    expect(before).toHaveLength(6);
  });
});

test('what was missed is metered afterwards, for a month', async () => {
  await makeDatabase(10);
  await at(40 * 24 * HOUR + SETTLED);
  await meterUsage(world.deps.db);
  const hours = (await lines()).map(({ hour }) => hour);
  expect(hours).toHaveLength(31 * 24);
  expect(Math.min(...hours)).toBe(9 * 24);
  expect(Math.max(...hours)).toBe(40 * 24 - 1);
  // Nothing of what it was made of is kept for ever.
  await world.deps.db.deleteFrom('managedDatabases').execute();
  await at(60 * 24 * HOUR);
  await meterUsage(world.deps.db);
  const spans = await world.deps.db.selectFrom('usageSpans').select('id').execute();
  const meters = await world.deps.db.selectFrom('usageMeters').select('level').execute();
  expect([spans, meters]).toEqual([[], []]);
});

test('hours are those of UTC wherever the database is, also where a clock is put forward, and none is metered twice', async () => {
  const url = new URL(world.databaseUrl);
  url.searchParams.set('options', '-c timezone=America/New_York');
  const newYork = createDb(createPool({ url: url.href, max: 1 }));
  const { rows } = await sql<{ zone: string }>`select current_setting('timezone') as zone`.execute(newYork);
  expect(rows).toEqual([{ zone: 'America/New_York' }]);
  await makeDatabase(10);
  // On the 8th of March there is no 2 o'clock there.
  await at(30 * 24 * HOUR + SETTLED);
  await meterUsage(newYork);
  const metered = await lines();
  expect(metered.map(({ hour }) => hour).sort((a, b) => a - b)).toEqual([...Array(30 * 24).keys()]);
  const days = await newYork.selectFrom('usageDays').select(['day', 'cost']).orderBy('day').execute();
  expect(days).toHaveLength(30);
  for (const { cost } of days) expect(cost).toBeCloseTo(24 * 10 * 0.02, 9);
  // The clock goes back: what is metered stays, and what changes then has no time below zero.
  await at(10 * 24 * HOUR);
  await meterUsage(newYork);
  await world.deps.db.deleteFrom('managedDatabases').execute();
  await at(31 * 24 * HOUR + SETTLED);
  await meterUsage(newYork);
  expect(await lines()).toEqual(metered);
  await newYork.destroy();
});

test('who is deleted takes their usage with them', async () => {
  const carol = await world.as('Carol');
  await makeDatabase(10, carol);
  await at(HOUR + SETTLED);
  await meterUsage(world.deps.db);
  expect(await lines()).toHaveLength(1);
  await world.deps.db.deleteFrom('users').where('id', '=', carol.user.id).execute();
  await at(3 * HOUR);
  await meterUsage(world.deps.db);
  expect(await lines()).toEqual([]);
  const { records } = await world.deps.db
    .selectFrom('usageMetering')
    .select('records')
    .executeTakeFirstOrThrow();
  expect(records).toBe(0);
});
