import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, watch } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmbeddedPostgres, PortInUse, startEmbeddedPostgres } from '../src/embedded.ts';
import { isAlive } from '../src/embedded-leftover.ts';
import { unprivilegedAccount } from '../src/unprivileged-account.ts';

const HOLD_CLUSTER = join(import.meta.dirname, 'fixtures', 'hold-cluster.ts');

let home: string;
let dataDir: string;
const running: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'nephos-embedded-'));
  await chmod(home, 0o711);
  dataDir = join(home, 'data');
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of running.splice(0)) await server.stop();
  await rm(home, { recursive: true, force: true });
});

async function start(
  options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, ...options });
  running.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return rows;
  } finally {
    await client.end();
  }
}

function holdCluster(): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const child = spawn(process.execPath, [HOLD_CLUSTER, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

test('keeps its data, durably, over an ordinary stop and start', async () => {
  const first = await start();
  expect(await query(first.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  await query(first.url, 'create table kept as select 1 as n');
  await first.stop();
  expect(await first.exited).toBe(0);
  await first.stop();

  const before = performance.now();
  const second = await start();
  expect(performance.now() - before).toBeLessThan(3000);
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
});

test('asks every account of the machine for a password that only its own account can read', async () => {
  const server = await start();
  const passwordFile = `${dataDir}.password`;
  const password = readFileSync(passwordFile, 'utf8').trim();
  expect(statSync(passwordFile).mode & 0o777).toBe(0o600);
  expect(decodeURIComponent(new URL(server.url).password)).toBe(password);
  expect(readFileSync(`${dataDir}.log`, 'utf8')).not.toContain(password);
  if (process.platform === 'linux') {
    expect(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain(password);
    expect(readFileSync(`/proc/${server.pid}/environ`, 'utf8')).not.toContain('HOME=');
  }
  const wrong = server.url.replace(encodeURIComponent(password), 'guess');
  await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed');
});

test('gives up crash safety for throw-away data only', async () => {
  const server = await start({ durable: false, password: 'of my choice' });
  expect(await query(server.url, 'show fsync')).toEqual([{ fsync: 'off' }]);
  expect(existsSync(`${dataDir}.password`)).toBe(false);
});

test('recovers when its process was killed: nothing committed is lost, and the old server is gone', async () => {
  const child = holdCluster();
  const [line] = await once(createInterface(child.stdout), 'line');
  const { url, pid } = JSON.parse(line) as { url: string; pid: number };
  await query(url, 'create table kept as select 2 as n');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(pid)).toBe(true);

  const server = await start();
  expect(isAlive(pid)).toBe(false);
  expect(await query(server.url, 'select n from kept')).toEqual([{ n: 2 }]);
});

test('recovers when the server itself was killed', async () => {
  const first = await start();
  await query(first.url, 'create table kept as select 3 as n');
  process.kill(first.pid, 'SIGKILL');
  expect(await first.exited).toBe(null);

  const second = await start();
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 3 }]);
});

test('leaves alone a program that has got the number of a dead server', async () => {
  await (await start()).stop();
  // PostgreSQL takes only a process of the same account for another server.
  const other = spawn('sleep', ['600'], { ...unprivilegedAccount(), cwd: '/', stdio: 'ignore' });
  children.push(other);
  await once(other, 'spawn');
  writeFileSync(join(dataDir, 'postmaster.pid'), `${other.pid}\n${dataDir}\n0\n5432\n\n127.0.0.1\n`);

  const server = await start();
  expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(other.exitCode).toBe(null);
  expect(other.signalCode).toBe(null);
});

test('is not held up by a pipe in the place of the lock file', async () => {
  await (await start()).stop();
  execFileSync('mkfifo', [join(dataDir, 'postmaster.pid')], { ...unprivilegedAccount(), cwd: '/' });
  const server = await start();
  expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('leaves nothing half-made when it is killed while it creates the cluster', async () => {
  const changes = watch(home);
  const child = holdCluster();
  for await (const { filename } of changes) {
    if (filename?.startsWith('data.new-')) break;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(dataDir)).toBe(false);

  const server = await start();
  expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(readdirSync(home).filter((name) => name.includes('.new-'))).toEqual([]);
});

test('says in one line why it cannot start', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  await expect(start({ port })).rejects.toThrow(
    /^PostgreSQL failed to start: could not create any TCP\/IP sockets$/,
  );
  taken.close();
});

test.runIf(process.getuid?.() === 0)('finds a place outside a closed home (needs root)', async () => {
  await chmod(home, 0o700);
  const server = await start();
  const [row] = await query(server.url, 'show data_directory');
  const folder = String(row?.data_directory);
  expect(folder).toMatch(/^\/var\/lib\/nephos\/[0-9a-f]{12}\/postgres$/);
  await server.stop();
  await rm(dirname(folder), { recursive: true });
});

test('lets in by its own rules, and takes parameters', async () => {
  const server = await start({
    accessRules: ['host all postgres 127.0.0.1/32 scram-sha-256', 'host sameuser all all scram-sha-256'],
    parameters: { max_connections: 37 },
  });
  expect(await query(server.url, 'show max_connections')).toEqual([{ max_connections: '37' }]);
  await query(server.url, "create role guest login password 'guest'");
  await query(server.url, 'create database guest owner guest');
  const guest = new URL(server.url);
  guest.username = 'guest';
  guest.password = 'guest';
  await expect(query(guest.href, 'select 1')).rejects.toThrow('no pg_hba.conf entry');
  guest.pathname = '/guest';
  expect(await query(guest.href, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('says so when its port is taken, were it on one of its addresses alone', async () => {
  const other = createServer().listen(0, '127.0.0.2');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  try {
    await expect(start({ port, listen: ['127.0.0.2'] })).rejects.toBeInstanceOf(PortInUse);
    expect(existsSync(join(dataDir, 'postmaster.pid'))).toBe(false);
    await start({ port });
  } finally {
    other.close();
  }
});
