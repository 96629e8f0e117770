import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { newCredentials, newPassword } from '../../src/domains/databases/credentials.ts';
import type { Credentials } from '../../src/domains/databases/engines/engine.ts';
import { type Ask, openRedis } from '../../src/domains/databases/engines/redis/redis-client.ts';
import { setUser } from '../../src/domains/databases/engines/redis/redis-users.ts';
import { createSharedLimits } from '../../src/domains/databases/engines/redis/shared-limits.ts';
import { createRedisWorld } from './redis-world.ts';
import { startStockRedis } from './stock-redis.ts';

describe.skipIf(!requireTool('redis-server'))('the Redis of MANAGED_REDIS_URL', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  /** A world whose records are `rows`. */
  async function worldOn(options: Parameters<typeof startStockRedis>[0] = {}) {
    const stock = await startStockRedis(options);
    opened.push(stock);
    const rows = new Map<string, string>();
    const records = {
      names: async () => [...rows.keys()],
      passwordOf: async (name: string) => rows.get(name),
    };
    const world = await createRedisWorld(undefined, undefined, { url: stock.url, records });
    opened.push(world);
    const make = async (): Promise<Credentials> => {
      const credentials = newCredentials();
      rows.set(credentials.name, credentials.password);
      await world.engine.create(credentials);
      return credentials;
    };
    const open = (credentials: Credentials) => world.open(world.engine.connectionString(credentials));
    return { stock, rows, world, engine: world.engine, make, open };
  }

  test('keeps each to what begins with its name, and out of the server', async () => {
    const { make, open, stock } = await worldOn();
    const [one, two] = [await make(), await make()];
    const { ask } = await open(one);
    const own = (key: string) => `${one.name}:${key}`;
    expect(await ask('SET', own('a'), '1')).toBe('OK');
    expect(await ask('EVAL', "return redis.call('INCR', KEYS[1])", '1', own('a'))).toBe(2);
    expect(await ask('PUBLISH', own('news'), 'x')).toBe(0);
    for (const words of [['INFO'], ['TIME'], ['MEMORY', 'USAGE', own('a')], ['COMMAND', 'COUNT']])
      await expect(ask(...words), words.join(' ')).resolves.toBeDefined();
    await stock.ask('SET', 'theirs', '1');
    for (const words of [
      ['GET', 'theirs'],
      ['GET', `${two.name}:a`],
      ['COPY', own('a'), `${two.name}:a`],
      ['EVAL', "return redis.call('GET', 'theirs')", '0'],
      ['EVAL', "return redis.call('SCAN', '0')", '0'],
      ['PUBLISH', `${two.name}:news`, 'x'],
      ['PSUBSCRIBE', '*'],
      ['SCAN', '0'],
      ['KEYS', '*'],
      ['RANDOMKEY'],
      ['DBSIZE'],
      ['PUBSUB', 'CHANNELS'],
      ['CLIENT', 'TRACKING', 'on', 'BCAST'],
      ['CLIENT', 'LIST'],
      ['MEMORY', 'DOCTOR'],
      ['FUNCTION', 'LIST'],
      ['SCRIPT', 'FLUSH'],
      ['FLUSHALL'],
      ['SWAPDB', '0', '1'],
      ['CONFIG', 'GET', '*'],
      ['ACL', 'LIST'],
      ['MONITOR'],
      ['SHUTDOWN'],
    ]) {
      await expect(ask(...words), words.join(' ')).rejects.toThrow(
        /NOPERM|ACL failure|executing the script can't/,
      );
    }
    await expect(ask('AUTH', 'default', '')).rejects.toThrow(/^WRONGPASS/);
    await ask('RESET');
    await expect(ask('GET', own('a'))).rejects.toThrow(/^NOAUTH/);
  });

  test('removes the keys of one wherever they are, and nobody else’s', async () => {
    const { make, open, engine, stock } = await worldOn();
    const [one, two] = [await make(), await make()];
    const theirs = await open(two);
    await theirs.ask('SET', `${two.name}:a`, '1');
    const { ask } = await open(one);
    await Promise.all(
      Array.from({ length: 3000 }, (_, n) => ask('SET', `${one.name}:${n}`, 'x'.repeat(100))),
    );
    const { size } = await engine.usage(one.name);
    expect(size).toBeGreaterThan(3000 * 100);
    expect((await engine.usage(two.name)).size).toBeLessThan(200);
    await ask('SELECT', '3');
    // A key that is no text.
    await ask(
      'EVAL',
      "return redis.call('SET', ARGV[1] .. string.char(255, 0, 254), '1')",
      '0',
      `${one.name}:`,
    );
    await engine.remove(one.name);
    const keyspace = await stock.ask('INFO', 'keyspace');
    expect(keyspace).toMatch(/^db0:keys=1,/m);
    expect(keyspace).not.toMatch(/^db3:/m);
    expect(await theirs.ask('GET', `${two.name}:a`)).toBe('1');
  });

  test('makes users again that a server lost, with what they had', async () => {
    const { make, open, engine, stock, rows } = await worldOn();
    const [one, two, gone] = [await make(), await make(), await make()];
    const { ask } = await open(one);
    await ask('SET', `${one.name}:a`, '1');
    rows.delete(gone.name);
    await stock.restart();
    await expect(open(one)).rejects.toThrow(/^WRONGPASS/);
    expect(await engine.accepts(one)).toBe(true);
    const again = await open(one);
    expect(await again.ask('GET', `${one.name}:a`)).toBe('1');
    await engine.recover?.();
    await open(two);
    await expect(engine.usage(gone.name)).rejects.toThrow('There is no Redis database');
    expect(await stock.ask('ACL', 'USERS')).toHaveLength(3);
    // A password that is to be set counts already, and is then the only one.
    await stock.restart();
    const renewed = { ...two, password: newPassword() };
    rows.set(two.name, renewed.password);
    await engine.setPassword(renewed);
    await open(renewed);
    await expect(open(two)).rejects.toThrow(/^WRONGPASS/);
  });

  test('has a server that can keep them do so', async () => {
    const { make, open, stock } = await worldOn({ keepsUsers: true });
    const one = await make();
    await stock.restart();
    await open(one);
  });

  test('holds each to its memory and its clients', async () => {
    const { make, open, engine, stock } = await worldOn();
    const [one, two] = [await make(), await make()];
    const MB = 1024 * 1024;
    const own = (key: string) => `${one.name}:${key}`;
    const [{ ask }, theirs] = [await open(one), await open(two)];
    const admin = openRedis({ host: '127.0.0.1', port: Number(new URL(stock.url).port) });
    opened.push({ close: async () => admin.close() });
    await admin.ask('AUTH', decodeURIComponent(new URL(stock.url).password));
    const put = (asked: Ask, name: string, may: boolean) =>
      setUser(asked, name === one.name ? one : two, may);
    const limits = createSharedLimits(put, { memory: 2 * MB, clients: 3 });
    const hold = () => limits.hold(admin.ask, [one.name, two.name]);
    await ask('SELECT', '3');
    for (const key of ['a', 'b', 'c']) await ask('SET', own(key), 'x'.repeat(MB));
    await hold();
    for (const words of [
      ['SET', own('d'), '1'],
      ['EVAL', "return redis.call('SET', KEYS[1], '1')", '1', own('d')],
      ['GET', 'theirs'],
      ['FLUSHALL'],
    ]) {
      await expect(ask(...words), words.join(' ')).rejects.toThrow(
        /NOPERM|ACL failure|executing the script can't/,
      );
    }
    expect(await ask('STRLEN', own('a'))).toBe(MB);
    expect(await theirs.ask('SET', `${two.name}:a`, '1')).toBe('OK');
    for (const key of ['a', 'b']) expect(await ask('DEL', own(key))).toBe(1);
    await hold();
    expect(await ask('SET', own('d'), '1')).toBe('OK');
    await expect(ask('FLUSHALL')).rejects.toThrow('NOPERM');

    const more = await Promise.all([open(one), open(one), open(one)]);
    await hold();
    const alive = await Promise.allSettled([ask('PING'), ...more.map((client) => client.ask('PING'))]);
    expect(alive.map(({ status }) => status)).toEqual([...Array(3).fill('fulfilled'), 'rejected']);
    expect(await engine.usage(one.name)).toMatchObject({ connections: 3, connectionLimit: 100 });
  });

  test('is not used while it lets anybody in', async () => {
    const { engine, stock } = await worldOn({ password: '' });
    expect(engine.unavailable()).toBe('MANAGED_REDIS_URL needs the password of an administrator.');
    const { port } = new URL(stock.url);
    await stock.ask('ACL', 'SETUSER', 'admin', 'on', '>secret', '~*', '&*', '+@all');
    const world = await createRedisWorld(undefined, undefined, {
      url: `redis://admin:secret@127.0.0.1:${port}`,
    });
    opened.push(world);
    expect(world.engine.unavailable()).toMatch(/lets anybody in without a password/);
  });

  test('does not stand for a database that has a server of its own here', async () => {
    const { engine, rows, world } = await worldOn();
    const { name, password } = newCredentials();
    await mkdir(join(world.dataDir, 'managed-redis', name), { recursive: true });
    rows.set(name, password);
    await engine.recover?.();
    await expect(engine.usage(name)).rejects.toThrow('There is no Redis database');
  });
});
