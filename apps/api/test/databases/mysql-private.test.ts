import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  lchown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unprivilegedAccount } from '@nephos/db';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { freePort } from '../../../../tools/server-process.mjs';
import { readSettings } from '../../src/core/env.ts';
import { newCredentials } from '../../src/domains/databases/credentials.ts';
import { findMariadb } from '../../src/domains/databases/engines/mysql/mariadb-programs.ts';
import { createMysqlEngine } from '../../src/domains/databases/engines/mysql/mysql-engine.ts';
import { openMysql } from './mysql-session.ts';

const present = requireTool('mariadbd');
const SOON = { timeout: 60_000, interval: 20 };

describe.skipIf(!present)('the private MariaDB', () => {
  let dataDir: string;
  let home: string;
  const credentials = newCredentials();

  beforeAll(async () => {
    dataDir = await newDataDir();
    home = join(dataDir, 'managed-mysql');
    // The port is its own, so that no server of another test takes it while this one is down.
    await mkdir(home, { mode: 0o700 });
    await writeFile(join(home, 'port'), String(await freePort()));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const newEngine = (settings: Record<string, string> = {}) =>
    createMysqlEngine({
      settings: readSettings({ DATA_DIR: dataDir, PATH: process.env.PATH, ...settings }),
      log: pino({ level: 'silent' }),
    });

  const pidOf = async () => Number(await readFile(join(home, 'data', 'pid'), 'utf8'));

  /** Another process that runs it; the answer is its first line, the address of a database. */
  async function startHost(): Promise<{ host: ChildProcess; address: string }> {
    const file = join(import.meta.dirname, 'fixtures/mysql-host.ts');
    const host = spawn(process.execPath, [file, dataDir, credentials.name], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = (await once(host.stdout, 'data')) as [Buffer];
    return { host, address: line.toString().trim() };
  }

  test('is made when it is first needed, and for nobody else to read', async () => {
    const fresh = await newDataDir();
    const home = join(fresh, 'managed-mysql');
    const engine = newEngine({ DATA_DIR: fresh });
    await engine.start();
    expect(await readdir(fresh)).toEqual([]);
    expect(engine.unavailable()).toBeNull();
    await engine.create(credentials);
    // As root, the server's account passes through its home, but cannot change what we work with in it.
    const isRoot = process.getuid?.() === 0;
    expect((await stat(home)).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
    expect((await stat(home)).uid).toBe(process.getuid?.());
    expect((await stat(join(home, 'data'))).mode & 0o777).toBe(0o700);
    for (const secret of ['password', 'log']) {
      expect((await stat(join(home, secret))).mode & 0o777).toBe(0o600);
    }
    // What gave the administrator the password is gone once it was read.
    expect(await readdir(home)).not.toContain('init.sql');
    expect(await readdir(join(home, 'files'))).toEqual([]);
    if (isRoot) expect((await stat(join(home, 'data'))).uid).not.toBe(0);
    await engine.stop();
    await expect(openMysql(engine.connectionString(credentials))).rejects.toThrow('ECONNREFUSED');
    await engine.stop();
    await rm(fresh, { recursive: true, force: true });
  });

  test.runIf(process.getuid?.() === 0)('follows no link that its account left in its home', async () => {
    const fresh = await newDataDir();
    const home = join(fresh, 'managed-mysql');
    const keys = join(fresh, 'keys');
    await mkdir(keys, { mode: 0o700 });
    await writeFile(join(keys, 'key'), 'only root may read this', { mode: 0o600 });
    const { uid, gid } = unprivilegedAccount(['mysql', 'nobody']) ?? { uid: 0, gid: 0 };
    await mkdir(home, { mode: 0o700 });
    await chown(home, uid, gid);
    for (const [name, target] of [
      ['files', keys],
      ['log', join(keys, 'key')],
      ['password', join(keys, 'key')],
    ] as const) {
      await symlink(target, join(home, name));
      await lchown(join(home, name), uid, gid);
    }
    await link(join(keys, 'key'), join(home, 'port'));
    const engine = newEngine({ DATA_DIR: fresh });
    await engine.create(newCredentials());
    await engine.stop();
    expect(await stat(keys)).toMatchObject({ uid: 0, mode: 0o40_700 });
    expect(await stat(join(keys, 'key'))).toMatchObject({ uid: 0, mode: 0o100_600 });
    expect(await readFile(join(keys, 'key'), 'utf8')).toBe('only root may read this');
    expect(await readFile(join(home, 'password'), 'utf8')).not.toContain('root');
    await rm(fresh, { recursive: true, force: true });
  });

  test('admits its administrator by the password alone, and nobody without a name', async () => {
    const engine = newEngine();
    await engine.create(credentials);
    const { port } = new URL(engine.connectionString(credentials));
    for (const user of ['root', '', 'mysql', 'mariadb.sys']) {
      await expect(openMysql(`mysql://${user}@127.0.0.1:${port}/`)).rejects.toThrow(/denied|locked/);
    }
    const password = (await readFile(join(home, 'password'), 'utf8')).trim();
    const root = await openMysql(`mysql://root:${password}@127.0.0.1:${port}/`);
    const [accounts] = await root.query('select user as user, host as host from mysql.user order by user');
    expect(accounts).toEqual([
      { user: credentials.name, host: '%' },
      { user: 'mariadb.sys', host: 'localhost' },
      { user: 'root', host: '127.0.0.1' },
    ]);
    await root.end();
    await engine.stop();
  });

  test('comes back by itself after kill -9, at its port and with its data', async () => {
    const engine = newEngine();
    await engine.create(credentials);
    const address = engine.connectionString(credentials);
    const before = await openMysql(address);
    await before.query('create table t (id int)');
    await before.query('insert into t values (7)');
    const pid = await pidOf();
    process.kill(pid, 'SIGKILL');
    const after = await vi.waitFor(() => openMysql(address), SOON);
    expect((await after.query('select id from t'))[0]).toEqual([{ id: 7 }]);
    expect(await pidOf()).not.toBe(pid);
    expect(engine.unavailable()).toBeNull();
    await engine.create(newCredentials());
    await after.end();
    await engine.stop();
    expect(isAlive(await pidOf().catch(() => pid))).toBe(false);
  });

  test('of a process that was killed makes way for the next one', async () => {
    const { host, address } = await startHost();
    const pid = await pidOf();
    host.kill('SIGKILL');
    await once(host, 'exit');
    expect(isAlive(pid)).toBe(true);
    const engine = newEngine();
    await engine.start();
    await engine.usage(credentials.name);
    expect(await pidOf()).not.toBe(pid);
    // Its new parent takes notice of its end, in its own time.
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), SOON);
    await (await openMysql(address)).end();
    await engine.stop();
  });

  test('ends with a process that exits without having stopped it', async () => {
    const { host } = await startHost();
    const pid = await pidOf();
    host.stdin?.write('exit\n');
    await once(host, 'exit');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), SOON);
  });

  test('starts again where it was needed before, without being asked', async () => {
    const first = newEngine();
    await first.create(credentials);
    const address = first.connectionString(credentials);
    await first.stop();
    const second = newEngine();
    expect(second.connectionString(credentials)).toBe(address);
    await second.start();
    await (await vi.waitFor(() => openMysql(address), SOON)).end();
    await second.stop();
  });

  test('is stopped even while it starts', async () => {
    const engine = newEngine();
    const creation = engine.create(credentials).catch(() => {});
    await engine.stop();
    await creation;
    expect(isAlive(await pidOf().catch(() => Number.NaN))).toBe(false);
    // What was cut short is no obstacle.
    await engine.create(credentials);
    await engine.stop();
  });

  test('says that it cannot start, and is tried again', async () => {
    const first = newEngine();
    await first.create(credentials);
    const port = Number(new URL(first.connectionString(credentials)).port);
    await first.stop();
    const thief = createServer().listen(port, '127.0.0.1');
    await once(thief, 'listening');
    const second = newEngine();
    await expect(second.create(newCredentials())).rejects.toThrow('MANAGED_MYSQL_URL');
    expect(second.unavailable()).toMatch(/^The server could not be started\. .* MANAGED_MYSQL_URL /);
    expect(second.unavailable()).not.toContain(dataDir);
    thief.close();
    await once(thief, 'close');
    await second.start();
    await second.create(newCredentials());
    expect(second.unavailable()).toBeNull();
    await second.stop();
  });

  test('listens where the console does, and tells its name', async () => {
    const engine = newEngine({ HOST: '0.0.0.0', PUBLIC_URL: 'https://console.example.com' });
    await engine.create(credentials);
    const address = new URL(engine.connectionString(credentials));
    expect(address.hostname).toBe('console.example.com');
    address.hostname = '127.0.0.2';
    await (await openMysql(address.href)).end();
    await engine.stop();
  });

  test('takes the port that stands in its folder', async () => {
    const port = await freePort();
    await writeFile(join(home, 'port'), `${port}\n`);
    const second = newEngine();
    await second.usage(credentials.name);
    expect(new URL(second.connectionString(credentials)).port).toBe(String(port));
    await second.stop();
  });
});

test('a machine without MariaDB has no private one', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'nephos-no-mariadb-'));
  expect(findMariadb(empty, [empty])).toBeUndefined();
  await writeFile(join(empty, 'mariadbd'), '', { mode: 0o755 });
  expect(findMariadb(empty, [])).toBeUndefined();
  await writeFile(join(empty, 'mysql_install_db'), '', { mode: 0o755 });
  expect(findMariadb(`relative:${empty}`, [])).toEqual({
    server: join(empty, 'mariadbd'),
    install: join(empty, 'mysql_install_db'),
  });
  await rm(empty, { recursive: true });
});

async function newDataDir(): Promise<string> {
  // Whatever a person calls a folder.
  const folder = await mkdtemp(join(tmpdir(), "nephos 'private' mysql-"));
  await chmod(folder, 0o711);
  return folder;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
