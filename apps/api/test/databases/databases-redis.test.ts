import type { ManagedDatabase } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { openRedis } from '../../src/domains/databases/engines/redis/redis-client.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { addressOf, concluded, makeDatabase, PATIENCE } from './database-fixtures.ts';
import { type StockRedis, startStockRedis } from './stock-redis.ts';

const MB = 1024 * 1024;

/** Logged in as the address says. */
async function openAt(address: string) {
  const { hostname: host, port, username, password } = new URL(address);
  const client = openRedis({ host, port: Number(port) });
  await client.ask('AUTH', username, password);
  return client;
}

describe.skipIf(!requireTool('redis-server'))('a Redis database', () => {
  let world: World;
  let ada: Person;

  beforeAll(async () => {
    world = await createWorld({ running: true });
    ada = await world.as('Ada');
  });
  afterAll(() => world.close());

  test('comes from one call, takes a new password, and goes', async () => {
    const { status, body } = await ada.rest('POST /api/databases', {
      body: { name: 'cache', type: 'redis' },
    });
    expect([status, body]).toMatchObject([201, { name: 'cache', type: 'redis', status: 'creating' }]);
    const database = await concluded(ada, (body as ManagedDatabase).id);
    expect(database).toMatchObject({ status: 'available', error: '' });
    const address = await addressOf(ada, database);
    expect(address).toMatch(/^redis:\/\/db_\w+:\w{32}@127\.0\.0\.1:\d+\/0$/);
    const { ask } = await openAt(address);
    expect(await ask('SET', 'color', 'blue')).toBe('OK');
    expect(await ada.rpc.databases.usage.query(database)).toMatchObject({
      ...{ sizeLimit: 256 * MB, connections: 1, connectionLimit: 100 },
    });
    const renewed = await ada.rpc.databases.rotatePassword.mutate({ id: database.id });
    await expect(ask('GET', 'color')).rejects.toThrow('closed');
    await expect(openAt(address)).rejects.toThrow(/^WRONGPASS/);
    const again = await openAt(renewed.connectionString);
    expect(await again.ask('GET', 'color')).toBe('blue');
    again.close();
    await ada.rpc.databases.remove.mutate({ id: database.id });
  });

  test('has a limit of memory that its owner sets, which stays', async () => {
    const database = await makeDatabase(ada, { type: 'redis', name: 'queue' });
    const { id } = database;
    const route = `/api/databases/${id}/memory` as const;
    expect(await ada.rest(`GET ${route}`)).toMatchObject({
      status: 200,
      body: { limit: 256, eviction: 'noeviction' },
    });
    const { ask, close } = await openAt(await addressOf(ada, database));
    const large = 'x'.repeat(20 * MB);
    for (const key of ['a', 'b']) await ask('SET', key, large);
    expect(await ada.rest(`PUT ${route}`, { body: { limit: 32, eviction: 'noeviction' } })).toMatchObject({
      status: 409,
      body: {
        code: 'TOO_SMALL',
        message: expect.stringMatching(/^This database holds [\d.]+ MB: choose at least \d+ MB\.$/),
      },
    });
    expect(await ada.rpc.databases.memory.query({ id })).toMatchObject({ limit: 256 });
    const wanted = { limit: 64, eviction: 'allkeys-lru' };
    expect(await ada.rest(`PUT ${route}`, { body: wanted })).toMatchObject({ status: 200, body: wanted });
    expect(await ada.rpc.databases.memory.query({ id })).toEqual(wanted);
    for (const key of ['c', 'd', 'e']) expect(await ask('SET', key, large)).toBe('OK');
    expect(Number(await ask('DBSIZE'))).toBeLessThan(5);
    expect(await ada.rpc.databases.usage.query({ id })).toMatchObject({ sizeLimit: 64 * MB });
    close();
    for (const body of [
      { limit: 1, eviction: 'noeviction' },
      { limit: 64, eviction: 'none' },
      { limit: 64 },
    ]) {
      expect((await ada.rest(`PUT ${route}`, { body })).status).toBe(400);
    }
    const bob = await world.as('Bob');
    expect((await bob.rest(`GET ${route}`)).status).toBe(404);
    expect((await bob.rest(`PUT ${route}`, { body: wanted })).status).toBe(404);
  });

  test('and no other type has one', async () => {
    const { id } = await makeDatabase(ada, { name: 'orders' });
    expect(await ada.rest(`GET /api/databases/${id}/memory`)).toMatchObject({
      status: 409,
      body: { code: 'NOT_IN_MEMORY' },
    });
  });
});

describe.skipIf(!requireTool('redis-server'))('a Redis database on a server that was set', () => {
  let stock: StockRedis;
  let world: World;
  let ada: Person;

  beforeAll(async () => {
    stock = await startStockRedis();
    world = await createWorld({ running: true, settings: { managedRedisUrl: stock.url } });
    ada = await world.as('Ada');
  });
  afterAll(async () => {
    await world.close();
    await stock.close();
  });

  test('says what holds there, survives its loss of users, and goes with its keys', async () => {
    const database = await makeDatabase(ada, { type: 'redis', name: 'cache' });
    const { id } = database;
    const address = await addressOf(ada, database);
    const { username: name, port } = new URL(address);
    expect(port).toBe(new URL(stock.url).port);
    expect(await ada.rest(`GET /api/databases/${id}/memory`)).toMatchObject({
      status: 409,
      body: {
        code: 'SHARED_SERVER',
        message: expect.stringContaining(`begin with ${name}: (colon included).`),
      },
    });
    const before = await openAt(address);
    expect(await before.ask('SET', `${name}:color`, 'blue')).toBe('OK');
    await stock.restart();
    await expect(openAt(address)).rejects.toThrow(/^WRONGPASS/);
    expect(await ada.rpc.databases.connection.query({ id })).toMatchObject({ passwordChanged: false });
    const { ask, close } = await openAt(address);
    expect(await ask('GET', `${name}:color`)).toBe('blue');
    close();
    await ada.rpc.databases.remove.mutate({ id });
    await expect.poll(() => stock.ask('DBSIZE'), PATIENCE).toBe(0);
    expect(await stock.ask('ACL', 'USERS')).toEqual(['default']);
  });
});
