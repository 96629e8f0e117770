import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { addressOf, concluded, makeDatabase, PATIENCE } from './database-fixtures.ts';
import { createScriptedEngine, type ScriptedEngine } from './scripted-database-engine.ts';

const SILENT = 'The database server did not respond as expected. Try again in a moment.';
const NO_MONGODB = 'Set MANAGED_MONGODB_URL to a MongoDB server.';

let world: World;
let ada: Person;
let engine: ScriptedEngine;
let mongodb: ScriptedEngine;

beforeAll(async () => {
  engine = createScriptedEngine('postgresql');
  mongodb = createScriptedEngine('mongodb');
  mongodb.reason = NO_MONGODB;
  const databaseEngines = {
    postgresql: engine,
    mysql: createScriptedEngine('mysql'),
    mongodb,
    redis: createScriptedEngine('redis'),
  };
  world = await createWorld({ running: true, overrides: { databaseEngines } });
  ada = await world.as('Ada');
});
afterEach(async () => {
  engine.before = engine.after = async () => {};
  engine.reason = null;
  for (const { id } of await ada.rpc.databases.list.query()) await ada.rpc.databases.remove.mutate({ id });
  await expect.poll(() => engine.held.size, PATIENCE).toBe(0);
});
afterAll(() => world.close());

/** Fails the first `times` calls of `operation`. */
function failing(operation: string, times: number): (called: string) => Promise<void> {
  let left = times;
  return async (called) => {
    if (called !== operation || left === 0) return;
    left -= 1;
    throw new Error('connection refused at 10.0.0.1 by secret-host');
  };
}

const passwordIn = (address: string) => new URL(address).password;
const held = () => [...engine.held.values()];

describe('a type without a server', () => {
  test('says so before one tries, and is refused by naming the setting, without a row', async () => {
    expect(await ada.rpc.databases.engines.query()).toEqual([
      { type: 'postgresql', available: true, reason: '' },
      { type: 'mysql', available: true, reason: '' },
      { type: 'mongodb', available: false, reason: NO_MONGODB },
      { type: 'redis', available: true, reason: '' },
    ]);
    expect((await ada.rest('GET /api/database-engines')).body).toHaveLength(4);
    const refused = await ada.rest('POST /api/databases', { body: { name: 'main', type: 'mongodb' } });
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', message: NO_MONGODB } });
    await expect(ada.rpc.databases.create.mutate({ name: 'main', type: 'mongodb' })).rejects.toMatchObject({
      message: NO_MONGODB,
      data: { httpStatus: 503, reason: 'UNAVAILABLE' },
    });
    expect(await ada.rpc.databases.list.query()).toEqual([]);
  });
});

describe('a creation', () => {
  test('outlives a server that is away for a moment', async () => {
    engine.before = failing('create', 2);
    await makeDatabase(ada);
    expect(engine.calls.filter((call) => call.startsWith('create'))).toHaveLength(3);
  });

  test('that fails says why in a sentence, and can be retried', async () => {
    engine.before = failing('create', Number.POSITIVE_INFINITY);
    const { id } = await ada.rpc.databases.create.mutate({ name: 'main' });
    const early = await ada.rest(`POST /api/databases/${id}/retry`);
    expect(early).toMatchObject({
      status: 409,
      body: { code: 'NOT_FAILED', message: 'Only a failed database can be retried.' },
    });
    for (const route of ['GET connection', 'GET usage', 'POST rotate-password']) {
      const [method, path] = route.split(' ');
      expect(await ada.rest(`${method} /api/databases/${id}/${path}`), route).toMatchObject({
        status: 409,
        body: {
          code: 'NOT_AVAILABLE',
          message: 'This database is still being created. Try again in a moment.',
        },
      });
    }
    expect(await concluded(ada, id)).toMatchObject({ status: 'failed', error: SILENT });
    expect(await ada.rest(`GET /api/databases/${id}/connection`)).toMatchObject({
      status: 409,
      body: { code: 'NOT_AVAILABLE', message: 'This database could not be created. Retry it first.' },
    });

    engine.reason = 'Set MANAGED_POSTGRES_PORT to another port.';
    expect(await ada.rest(`POST /api/databases/${id}/retry`)).toMatchObject({
      status: 503,
      body: { message: engine.reason },
    });
    engine.reason = null;
    engine.before = async () => {};
    const retried = await ada.rest(`POST /api/databases/${id}/retry`);
    expect(retried).toMatchObject({ status: 200, body: { id, status: 'creating', error: '' } });
    expect(await concluded(ada, id)).toMatchObject({ status: 'available', error: '' });
    const shown = passwordIn(await addressOf(ada, { id }));
    expect(held()).toEqual([shown]);
  });

  test('that is deleted on its way leaves nothing', async () => {
    const entered = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    engine.before = async (operation) => {
      if (operation !== 'create') return;
      entered.resolve();
      await go.promise;
    };
    const { id } = await ada.rpc.databases.create.mutate({ name: 'main' });
    await entered.promise;
    await ada.rpc.databases.remove.mutate({ id });
    expect(await ada.rpc.databases.list.query()).toEqual([]);
    go.resolve();
    await expect.poll(() => engine.calls.at(-1), PATIENCE).toMatch(/^remove/);
    expect(held()).toEqual([]);
  });
});

describe('a rotation', () => {
  const rotate = (id: string) => ada.rest(`POST /api/databases/${id}/rotate-password`);

  test.each([
    ['before the server changed', 'before'],
    ['after the server changed', 'after'],
  ] as const)('that is cut %s ends with one password that works', async (_when, moment) => {
    const database = await makeDatabase(ada);
    engine[moment] = failing('setPassword', 1);
    expect(await rotate(database.id)).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE', message: SILENT },
    });
    const shown = passwordIn(await addressOf(ada, database));
    expect(held()).toEqual([shown]);
  });

  test('that was cut by the end of the process is completed by the next one', async () => {
    const database = await makeDatabase(ada);
    const before = passwordIn(await addressOf(ada, database));
    engine.after = failing('setPassword', 1);
    await rotate(database.id);
    await world.deps.domains.databases.work.sweep();
    const row = await world.deps.db
      .selectFrom('managedDatabases')
      .select('nextPassword')
      .executeTakeFirstOrThrow();
    expect(row.nextPassword).toBeNull();
    const shown = passwordIn(await addressOf(ada, database));
    expect(held()).toEqual([shown]);
    expect(held()).not.toEqual([before]);
  });

  test('holds no connection of ours while the server starts', async () => {
    const database = await makeDatabase(ada);
    let locks = -1;
    engine.before = async (operation) => {
      if (operation !== 'wake') return;
      const { rows } = await sql<{ locks: number }>`
        select count(*)::int as locks from pg_locks
        where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
          and (classid::bigint << 32) + objid::bigint
            = hashtextextended(${`password of ${database.id}`}, 0)`.execute(world.deps.db);
      locks = rows[0]?.locks ?? -1;
    };
    await rotate(database.id);
    expect(locks).toBe(0);
    engine.before = failing('wake', 1);
    expect(await rotate(database.id)).toMatchObject({ status: 503, body: { message: SILENT } });
    expect(await rotate(database.id)).toMatchObject({ status: 200 });
  });

  test('shows no password while it is not certain which one works', async () => {
    const database = await makeDatabase(ada);
    engine.before = failing('setPassword', 2);
    await rotate(database.id);
    const refused = await ada.rest(`GET /api/databases/${database.id}/connection`);
    expect(refused).toMatchObject({ status: 503, body: { message: SILENT } });
    expect(refused.text).not.toContain('secret-host');
  });
});

test('what a process left without a job is made by the next one', async () => {
  const database = await makeDatabase(ada);
  await world.deps.db.updateTable('managedDatabases').set({ status: 'creating' }).execute();
  await world.deps.domains.databases.work.sweep();
  expect(await concluded(ada, database.id)).toMatchObject({ status: 'available' });
});

test('a removal goes on until the server has done it', async () => {
  const database = await makeDatabase(ada);
  engine.before = failing('remove', 1);
  await ada.rpc.databases.remove.mutate({ id: database.id });
  await expect.poll(held, PATIENCE).toEqual([]);
});

test('a removal waits for the machine that has the server', async () => {
  const database = await makeDatabase(ada);
  await world.deps.db.updateTable('managedDatabases').set({ home: 'there' }).execute();
  await ada.rpc.databases.remove.mutate({ id: database.id });
  await expect.poll(() => engine.calls.at(-1), PATIENCE).toBe('home');
  expect(held()).toHaveLength(1);
  engine.machine = 'there';
  await expect.poll(held, PATIENCE).toEqual([]);
});

test('figures that cannot be had are refused without a word of the server', async () => {
  const database = await makeDatabase(ada);
  engine.before = failing('usage', 1);
  const refused = await ada.rest(`GET /api/databases/${database.id}/usage`);
  expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', message: SILENT } });
});

test('what cannot have a server of its own says why', async () => {
  for (const [type, reason] of [
    ['postgresql', /MANAGED_POSTGRES_URL stay there/],
    ['mysql', /Only PostgreSQL/],
  ] as const) {
    const { id } = await makeDatabase(ada, { name: type, type });
    const message = expect.stringMatching(reason);
    expect(await ada.rest(`POST /api/databases/${id}/move`)).toMatchObject({
      status: 409,
      body: { code: 'NOT_MOVABLE', message },
    });
    expect(await ada.rpc.databases.moveState.query({ id })).toEqual({ unavailable: message, error: '' });
  }
});
