import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { newCredentials, newPassword } from '../../src/domains/databases/credentials.ts';
import type { Credentials } from '../../src/domains/databases/engines/engine.ts';
import { openRedis } from '../../src/domains/databases/engines/redis/redis-client.ts';
import { findRedis } from '../../src/domains/databases/engines/redis/redis-programs.ts';
import { makeDoorCertificate } from './door-certificate.ts';
import { createRedisWorld, type RedisWorld } from './redis-world.ts';

const run = promisify(execFile);
const MB = 1024 * 1024;

/** Processes that work in the folder of an instance. */
async function serversOf({ dataDir }: RedisWorld, name: string): Promise<number[]> {
  const home = join(dataDir, 'managed-redis', name, 'data');
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const works = await Promise.all(
    pids.map(async (pid) => (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === home),
  );
  return pids.filter((_, n) => works[n]).map(Number);
}

describe.skipIf(!requireTool('redis-server') || !requireTool('redis-cli'))('a Redis of our own', () => {
  const worlds: RedisWorld[] = [];
  afterEach(async () => {
    for (const world of worlds.splice(0).reverse()) await world.close();
  });

  async function make(
    world?: RedisWorld,
  ): Promise<{ world: RedisWorld; credentials: Credentials; address: string }> {
    const its = world ?? (await createRedisWorld());
    if (!world) worlds.push(its);
    const credentials = newCredentials();
    await its.engine.create(credentials);
    return { world: its, credentials, address: its.engine.connectionString(credentials) };
  }

  test('keeps what it acknowledged when it is killed, and comes again by itself', async () => {
    const { world, credentials, address } = await make();
    const before = await world.open(address);
    await Promise.all(Array.from({ length: 500 }, (_, n) => before.ask('SET', `key:${n}`, String(n))));
    // What is done together is stored, and done again, as a transaction.
    await before.ask('EVAL', "for n = 1, 3 do redis.call('SET', 'script:' .. n, n) end", '0');
    await before.ask('MULTI');
    for (const name of ['a', 'b']) await before.ask('SET', `transaction:${name}`, '1');
    await before.ask('EXEC');
    const [pid = 0, ...others] = await serversOf(world, credentials.name);
    expect(others).toEqual([]);
    process.kill(pid, 'SIGKILL');
    const after = await vi.waitFor(() => world.open(address), { timeout: 60_000, interval: 100 });
    expect(await after.ask('DBSIZE')).toBe(505);
    expect(world.engine.lastStart?.(credentials.name)).toBe('worked');
  });

  test('is taken up by the next console, and what a killed one left running ends first', async () => {
    const { world, credentials, address } = await make();
    const client = await world.open(address);
    await client.ask('SET', 'color', 'blue');
    await world.engine.stop();
    // As what a console leaves that was killed: a server at work in the same files.
    const data = join(world.dataDir, 'managed-redis', credentials.name, 'data');
    const left = spawn('redis-server', ['--port', '0', '--unixsocket', 'left.sock', '--dir', data], {
      stdio: 'ignore',
    });
    onTestFinished(() => void left.kill('SIGKILL'));
    const exited = once(left, 'exit');
    await vi.waitFor(async () => expect(await serversOf(world, credentials.name)).toEqual([left.pid]));
    const next = await world.again();
    worlds.push(next);
    await exited;
    const there = await vi.waitFor(() => next.open(next.engine.connectionString(credentials)), {
      timeout: 60_000,
      interval: 100,
    });
    expect(await there.ask('GET', 'color')).toBe('blue');
    expect(await serversOf(next, credentials.name)).toHaveLength(1);
  });

  test.skipIf(process.getuid?.() !== 0)('runs under an account that has nothing but its data', async () => {
    const [one, two] = [await make(), await make(worlds[0])];
    const root = join(one.world.dataDir, 'managed-redis');
    const owners = await Promise.all(
      [one, two].map(async ({ credentials }) => (await stat(join(root, credentials.name, 'data'))).uid),
    );
    expect(new Set(owners).size).toBe(2);
    for (const [n, { world, credentials }] of [one, two].entries()) {
      const [pid] = await serversOf(world, credentials.name);
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      expect(status).toMatch(new RegExp(`^Uid:\\t${owners[n]}\\t${owners[n]}\\t${owners[n]}\\t`, 'm'));
      expect(status).toMatch(/^CapEff:\t0+$/m);
      expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('HOME=');
    }
    const [uid = 0, other = ''] = [owners[0], two.credentials.name];
    const peek = (path: string) => run('ls', [path], { uid, gid: uid });
    for (const folder of ['data', 'run']) {
      await expect(peek(join(root, other, folder))).rejects.toThrow('Permission denied');
    }
    await expect(run('cat', [join(root, other, 'settings')], { uid, gid: uid })).rejects.toThrow(
      'Permission denied',
    );
  });

  test('gives its owner the data and not the server', async () => {
    const { world, address } = await make();
    const { ask } = await world.open(address);
    expect(await ask('MSET', 'a', '1', 'b', '2')).toBe('OK');
    expect(await ask('KEYS', '*')).toHaveLength(2);
    expect(await ask('EVAL', "return redis.call('GET', KEYS[1])", '1', 'a')).toBe('1');
    expect(String(await ask('INFO', 'server'))).toContain('config_file:\r\n');
    expect(await ask('FLUSHDB')).toBe('OK');
    for (const words of [
      ['CONFIG', 'GET', '*'],
      ['CONFIG', 'SET', 'dir', '/tmp'],
      ['ACL', 'LIST'],
      ['ACL', 'SETUSER', 'default', 'on', 'nopass'],
      ['MODULE', 'LIST'],
      ['DEBUG', 'SLEEP', '0'],
      ['SHUTDOWN', 'NOSAVE'],
      ['REPLICAOF', '127.0.0.1', '1'],
      ['BGREWRITEAOF'],
      ['SAVE'],
      ['MONITOR'],
      ['CLIENT', 'LIST'],
      ['CLIENT', 'KILL', 'USER', 'nephos'],
    ]) {
      await expect(ask(...words), words.join(' ')).rejects.toThrow(/^NOPERM|^ERR DEBUG command not allowed/);
    }
    await expect(ask('AUTH', newPassword())).rejects.toThrow(/^WRONGPASS/);
    await expect(ask('AUTH', 'default', '')).rejects.toThrow(/^WRONGPASS/);
    await ask('RESET');
    await expect(ask('GET', 'a')).rejects.toThrow(/^NOAUTH/);
  });

  test('refuses what does not fit, and a script cannot take the memory of the machine', async () => {
    const { world, credentials, address } = await make();
    const { ask } = await world.open(address);
    const large = 'x'.repeat(16 * MB);
    const fill = async () => {
      for (let n = 0; n < 20; n += 1) await ask('SET', `key:${n}`, large);
    };
    await expect(fill()).rejects.toThrow(/^OOM /);
    expect(await ask('STRLEN', 'key:7')).toBe(large.length);
    const usage = await world.engine.usage(credentials.name);
    expect(usage).toMatchObject({ sizeLimit: 256 * MB, connections: 1, connectionLimit: 100 });
    expect(usage.size).toBeGreaterThan(200 * MB);
    await ask('FLUSHALL');
    const greedy = "local part, all = string.rep('x', 1000000), {} for n = 1, 4000 do all[n] = part .. n end";
    await expect(ask('EVAL', greedy, '0')).rejects.toThrow(/not enough memory/);
    expect(await ask('PING')).toBe('PONG');
  });

  test('takes less memory from when what it holds and has stored fits, and starts with it', async () => {
    const { world, credentials, address } = await make();
    const { name } = credentials;
    const { memory } = world.engine;
    const bound = async () => {
      const [pid] = await serversOf(world, name);
      const [, bytes] =
        /^Max address space +(\d+)/m.exec(await readFile(`/proc/${pid}/limits`, 'utf8')) ?? [];
      return Number(bytes) / MB;
    };
    const { ask } = await world.open(address);
    const large = 'x'.repeat(16 * MB);
    for (const key of ['a', 'b', 'c']) await ask('SET', key, large);
    // None of them has an end, so none may go.
    await memory?.set(name, { limit: 32, eviction: 'volatile-lru' });
    expect(await bound()).toBe(3 * 256 + 512);
    await memory?.set(name, { limit: 32, eviction: 'allkeys-lru' });
    expect(await bound()).toBe(3 * 32 + 512);
    // The first one has more on its way than clients may have now.
    const next = await world.open(address);
    expect(Number(await next.ask('DBSIZE'))).toBeLessThan(3);
    await memory?.set(name, { limit: 64, eviction: 'noeviction' });
    expect(await bound()).toBe(3 * 64 + 512);
  });

  test('one that does not start with its settings does with others', async () => {
    const { world, credentials } = await make();
    const { name } = credentials;
    await world.engine.stop();
    const file = join(world.dataDir, 'managed-redis', name, 'settings');
    const kept = JSON.parse(await readFile(file, 'utf8'));
    // Too little for any server.
    await writeFile(file, JSON.stringify({ ...kept, memory: -170 * MB }));
    const next = await world.again();
    worlds.push(next);
    await vi.waitFor(() => expect(next.engine.lastStart?.(name)).toBe('failed'), { timeout: 60_000 });
    const mended = await readFile(file, 'utf8');
    await writeFile(file, '');
    await expect(next.engine.usage(name)).rejects.toThrow('JSON');
    await writeFile(file, mended);
    await next.engine.memory?.set(name, { limit: 64, eviction: 'noeviction' });
    expect(next.engine.lastStart?.(name)).toBe('worked');
  });

  test('goes on with its password and users alone after a restart', async () => {
    const { world, credentials } = await make();
    const renewed = { ...credentials, password: newPassword() };
    await world.engine.setPassword(renewed);
    await world.engine.stop();
    const next = await world.again();
    worlds.push(next);
    await vi.waitFor(() => next.open(next.engine.connectionString(renewed)), { timeout: 60_000 });
    await expect(next.open(next.engine.connectionString(credentials))).rejects.toThrow(/^WRONGPASS/);
  });

  test('takes another password while a script runs that never ends', async () => {
    const { world, credentials, address } = await make();
    const { ask } = await world.open(address);
    await ask('SET', 'color', 'blue');
    const script = ask('EVAL', 'while true do end', '0').catch(String);
    const renewed = { ...credentials, password: newPassword() };
    await world.engine.setPassword(renewed);
    expect(await script).toContain('closed the connection');
    await expect(world.open(address)).rejects.toThrow(/^WRONGPASS/);
    const next = await world.open(world.engine.connectionString(renewed));
    expect(await next.ask('GET', 'color')).toBe('blue');
  });

  test('has room for so many clients, and for another once one has left', async () => {
    const { world, address } = await make();
    const clients = await Promise.all(Array.from({ length: 100 }, () => world.open(address)));
    await expect(world.open(address)).rejects.toThrow('max number of clients');
    clients[0]?.close();
    await vi.waitFor(() => world.open(address));
  });

  test('takes redis-cli in the clear and by TLS with the certificate of its name', async () => {
    const certificate = await makeDoorCertificate();
    const { domain, context, caFile } = certificate;
    const ownNames = [domain, 'localhost'];
    const world = await createRedisWorld((name) => (ownNames.includes(name) ? context : undefined));
    worlds.push(world);
    const { address, credentials } = await make(world);
    const { port } = new URL(address);
    const env = { PATH: process.env.PATH, REDISCLI_AUTH: credentials.password };
    const cli = (...words: string[]) =>
      run('redis-cli', ['-p', port, '--user', credentials.name, ...words], { env });
    expect((await cli('SET', 'color', 'blue')).stdout.trim()).toBe('OK');
    expect((await cli('-3', 'GET', 'color')).stdout.trim()).toBe('blue');
    const tls = ['--tls', '--cacert', caFile, '--sni', domain];
    expect((await cli(...tls, 'GET', 'color')).stdout.trim()).toBe('blue');
    await certificate.remove();
  });

  test('a certificate that comes later is used for the connections that follow', async () => {
    const certificate = await makeDoorCertificate();
    let context: typeof certificate.context | undefined;
    const world = await createRedisWorld(() => context);
    worlds.push(world);
    const { address } = await make(world);
    const handshake = () =>
      new Promise<string>((resolve, reject) => {
        const options = { port: Number(new URL(address).port), host: '127.0.0.1', ca: certificate.ca };
        const socket = connectTls({ ...options, servername: certificate.domain }, () => {
          resolve(socket.getProtocol() ?? '');
          socket.destroy();
        }).once('error', reject);
      });
    await expect(handshake()).rejects.toThrow();
    context = certificate.context;
    expect(await handshake()).toBe('TLSv1.3');
    await certificate.remove();
  });

  describe('at its door', () => {
    /** All that comes back for some bytes, until the end or a pause. */
    async function say(
      address: string,
      bytes: string,
      pause = 300,
    ): Promise<{ text: string; ended: boolean }> {
      const socket = connect(Number(new URL(address).port), '127.0.0.1');
      let [text, ended] = ['', false];
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.on('error', () => {});
      socket.once('close', () => {
        ended = true;
      });
      socket.write(bytes);
      await wait(pause);
      socket.destroy();
      return { text, ended };
    }

    test('clients are answered as by Redis before they say who they are', async () => {
      const { address, credentials } = await make();
      const { name, password } = credentials;
      expect(await say(address, 'PING\r\n*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n')).toMatchObject({
        text: expect.stringMatching(/^-NOAUTH Authentication required\.\r\n-NOAUTH HELLO must/),
        ended: false,
      });
      expect(await say(address, 'QUIT\r\n')).toEqual({ text: '+OK\r\n', ended: true });
      const unknown = await say(address, `AUTH ${newCredentials().name} ${password}\r\n`);
      const wrong = await say(address, `AUTH ${name} ${newPassword()}\r\nPING\r\n`);
      expect(unknown).toEqual({
        text: '-WRONGPASS invalid username-password pair or user is disabled.\r\n',
        ended: true,
      });
      expect(wrong).toMatchObject({ text: expect.stringMatching(/^-WRONGPASS invalid/), ended: true });
      expect(wrong.text).not.toContain('PONG');
      expect(await say(address, `AUTH nephos ${password}\r\n`)).toEqual(unknown);
      // What follows at once is not lost.
      const inOne = await say(address, `AUTH ${name} ${password}\r\nSET a 1\r\nGET a\r\n`);
      expect(inOne.text).toBe('+OK\r\n+OK\r\n$1\r\n1\r\n');
    });

    test.each([
      ['endless words', `*2\r\n$4\r\nAUTH\r\n$999999999\r\n${'x'.repeat(1000)}`],
      ['endless lines', 'x'.repeat(100_000)],
      ['many commands', 'PING\r\n'.repeat(1000)],
      ['another protocol', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20)],
    ])('%s are hung up on, and others are served', async (_, bytes) => {
      const { world, address } = await make();
      expect((await say(address, bytes)).ended).toBe(true);
      const { ask } = await world.open(address);
      expect(await ask('PING')).toBe('PONG');
    });
  });

  test('nobody comes to the server but by its door', async () => {
    const { world, credentials } = await make();
    const [pid = 0] = await serversOf(world, credentials.name);
    const { stdout } = await run('ls', ['-l', `/proc/${pid}/fd`]);
    const inodes = [...stdout.matchAll(/socket:\[(\d+)\]/g)].map(([, inode]) => inode);
    const tcp = (await readFile('/proc/net/tcp', 'utf8')) + (await readFile('/proc/net/tcp6', 'utf8'));
    expect(inodes.length).toBeGreaterThan(0);
    for (const inode of inodes) expect(tcp).not.toMatch(new RegExp(`\\s${inode}\\s`));
    const socket = join(world.dataDir, 'managed-redis', credentials.name, 'run', 'redis.sock');
    const { ask, close } = openRedis({ path: socket });
    await expect(ask('PING')).rejects.toThrow(/^NOAUTH/);
    close();
  });
});

test('without a server there is none', () => {
  expect(findRedis('/nonexistent', '/nonexistent')).toBeUndefined();
});
