import type { DatabasePast, ManagedDatabase } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { forgetOldBackups } from '../../src/domains/database-backups/retention.ts';
import { startDueBackups } from '../../src/domains/database-backups/schedule.ts';
import { addressOf, ask, makeDatabase } from '../databases/database-fixtures.ts';
import { createWorld, type Person, type World } from '../world.ts';

const SOON = { timeout: 60_000, interval: 50 };
const DAY = 24 * 60 * 60 * 1000;

let world: World;
let ada: Person;
let database: ManagedDatabase;
let address: string;

beforeAll(async () => {
  world = await createWorld({
    running: true,
    overrides: { archiverTimes: { lookEvery: 100, firstAfter: 0 } },
  });
  ada = await world.as('Ada');
  database = await makeDatabase(ada);
  address = await addressOf(ada, database);
  await ask(
    address,
    'create table people (id int primary key); insert into people select generate_series(1, 41)',
  );
  await vi.waitFor(async () => expect((await past()).backups[0]?.status).toBe('done'), SOON);
});
afterAll(() => world.close(), 60_000);

const past = (): Promise<DatabasePast> => ada.rpc.databaseBackups.get.query(database);
const care = () => world.deps.domains.databaseBackups.care;
const doneIds = async () =>
  (await past()).backups.flatMap(({ id, status }) => (status === 'done' ? [id] : []));

test('a backup is restored on trial, checked, and counted against the database', async () => {
  expect(await ada.rpc.databaseBackups.prove.mutate(database)).toMatchObject({ proving: true });
  await vi.waitFor(async () => expect((await past()).proving).toBe(false), SOON);
  const { lastProof, backups } = await past();
  expect(lastProof).toMatchObject({
    succeeded: true,
    detail: '1 table with 41 rows restored, without damage, and as many as in the database.',
  });
  expect(backups[0]?.proof).toEqual(lastProof);
  expect((await ada.rpc.databases.list.query()).map(({ id }) => id)).toEqual([database.id]);
});

test('what cannot be restored is told, until it can', async () => {
  const { db } = world.deps;
  const open = async () => {
    await world.deps.domains.alerts.watch();
    return (await ada.rpc.alerts.list.query({ view: 'open' })).map(({ kind }) => kind);
  };
  const { sha256 } = await db.selectFrom('databaseBackups').select('sha256').executeTakeFirstOrThrow();
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  const { archiveId } = await db.selectFrom('databaseBackups').select('archiveId').executeTakeFirstOrThrow();
  const [id = ''] = await doneIds();
  const key = `backups/${archiveId}/base/${id}`;
  await world.deps.objects.put(
    key,
    (async function* () {
      yield Buffer.from('something else');
    })(),
  );
  await ada.rpc.databaseBackups.prove.mutate(database);
  await vi.waitFor(async () => expect((await past()).lastProof?.succeeded).toBe(false), SOON);
  expect((await past()).lastProof?.detail).toBe('It could not be restored. See the Nephos log.');
  expect(await open()).toEqual(['backup-unproven']);
  await ada.rpc.databaseBackups.start.mutate(database);
  await vi.waitFor(async () => expect((await past()).backups[0]?.status).toBe('done'), SOON);
  await ada.rpc.databaseBackups.prove.mutate(database);
  await vi.waitFor(async () => expect((await past()).lastProof?.succeeded).toBe(true), SOON);
  expect(await open()).toEqual([]);
});

test('a backup is made each night, a proof each week, and neither twice', async () => {
  const before = await doneIds();
  const tomorrow = new Date(Date.now() + DAY);
  await care().startDue(new Date());
  expect((await past()).backups).toHaveLength(before.length);
  await ask(address, 'create table filled as select n, md5(n::text) from generate_series(1, 20000) n');
  await care().startDue(tomorrow);
  await vi.waitFor(async () => expect(await doneIds()).toHaveLength(before.length + 1), SOON);
  await world.deps.db
    .updateTable('databaseBackups')
    .set({ startedAt: tomorrow.toISOString() })
    .where('id', 'not in', before)
    .execute();
  await care().startDue(tomorrow);
  expect((await past()).backups).toHaveLength(before.length + 1);
  expect((await past()).proving).toBe(false);
  await world.deps.db.updateTable('managedDatabases').set({ work: 'importing' }).execute();
  await care().startDue(new Date(Date.now() + 8 * DAY));
  expect(await past()).toMatchObject({ proving: false, backups: { length: before.length + 1 } });
  await world.deps.db.updateTable('managedDatabases').set({ work: null }).execute();
  await care().startDue(new Date(Date.now() + 8 * DAY));
  expect((await past()).proving).toBe(true);
  await vi.waitFor(async () => expect((await past()).proving).toBe(false), SOON);
});

test('a server that sleeps is backed up where enough was written since', async () => {
  const { db, domains } = world.deps;
  const { servers } = domains.databases;
  const { engineName } = await db
    .selectFrom('managedDatabases')
    .select('engineName')
    .executeTakeFirstOrThrow();
  const { past: pasts } = servers.postgresql;
  if (!pasts) throw new Error('There are no servers.');
  const past = { ...pasts, list: () => [{ name: engineName, activity: 'asleep' as const }] };
  const due = async () => {
    const begun: string[] = [];
    const backUp = async (_: unknown, id: string) => String(begun.push(id));
    await startDueBackups({ db, servers, past }, { backUp }, new Date(Date.now() + 3 * DAY));
    return begun.length;
  };
  expect(await due()).toBe(0);
  await ask(address, 'create table more as select md5(n::text) from generate_series(1, 20000) n');
  await past.finishWal(engineName);
  await vi.waitFor(async () => expect(await due()).toBe(1), SOON);
});

test('what was kept long enough is forgotten, but what its first days begin with', async () => {
  const { db } = world.deps;
  await ada.rpc.databaseBackups.update.mutate({ id: database.id, keepDays: 2 });
  const ids = (await doneIds()).toReversed();
  expect(ids.length).toBeGreaterThanOrEqual(3);
  const ages = [5, 4, 1];
  for (const [index, age] of ages.entries()) {
    await sql`update database_backups set ended_at = now() - make_interval(days => ${age}) where id = ${ids[index]}`.execute(
      db,
    );
  }
  const wal = async () =>
    (await db.selectFrom('databaseWal').select('number').orderBy('number').execute()).map(
      ({ number }) => number,
    );
  const firstOf = async (id = '') =>
    (await db.selectFrom('databaseBackups').select('firstWal').where('id', '=', id).executeTakeFirstOrThrow())
      .firstWal;
  expect((await wal())[0]).toBe(await firstOf(ids[0]));
  await forgetOldBackups(db);
  expect((await doneIds()).toReversed()).toEqual(ids.slice(1));
  expect((await wal())[0]).toBe(await firstOf(ids[1]));
  await forgetOldBackups(db);
  expect(await doneIds()).toHaveLength(ids.length - 1);
});
