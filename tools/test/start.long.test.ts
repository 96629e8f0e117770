import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { removeNetworks } from '../../apps/api/test/remove-networks.ts';
import { root } from '../process.mjs';
import { freePort, killGroup, processesLeft, processesOf, startServer } from '../server-process.mjs';

const NPM_START = ['npm', 'start'];
/** The same without npm, which adds lines of its own. */
const START = ['node', 'tools/run.mjs', 'start'];
const READY_MS = 60_000;
const STOP_MS = 10_000;

let home: string;
let settings: Record<string, string>;
const servers: ReturnType<typeof startServer>[] = [];

// The data folder is one for all tests, since the first start with one takes by far the longest: so whatever end a test
// brings about, the next one starts after it.
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'nephos-start-'));
  chmodSync(home, 0o711);
});

afterAll(async () => {
  await removeNetworks(join(home, 'data'));
  rmSync(home, { recursive: true, force: true });
});

beforeEach(async () => {
  settings = { PORT: String(await freePort()), DATA_DIR: join(home, 'data'), LOG_LEVEL: 'error' };
});

afterEach(async () => {
  for (const server of servers.splice(0)) killGroup(server);
  for (const { pid } of processesOf(home)) kill(pid);
  await processesLeft(home, STOP_MS);
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}

function start(command = NPM_START, changed: Record<string, string> = {}) {
  const server = startServer({ command, cwd: root, settings: { ...settings, ...changed } });
  servers.push(server);
  return server;
}

async function startReady(command = NPM_START) {
  const server = start(command);
  return { ...server, ...(await server.ready(READY_MS)) };
}

async function expectNothingLeft(): Promise<void> {
  expect(await processesLeft(home, STOP_MS)).toEqual([]);
}

function lines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

test('says one line when it answers, ends on SIGTERM with nothing left, and starts again at once', async () => {
  const first = await startReady();
  expect((await fetch(new URL('/readyz', first.url))).status).toBe(200);
  expect(lines(first.said.stdout).filter((line) => !line.startsWith('> '))).toEqual([
    `Nephos is ready at ${first.url}`,
  ]);
  const began = performance.now();
  process.kill(first.pid, 'SIGTERM');
  expect(await first.exited).toMatchObject({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(STOP_MS);
  await expectNothingLeft();

  const second = await startReady(START);
  expect(lines(second.said.stderr)).toEqual([]);
  console.log(`second start: ready after ${second.ms} ms`);
  // The terminal signals the whole group.
  process.kill(-second.pid, 'SIGINT');
  process.kill(-second.pid, 'SIGINT');
  expect(await second.exited).toMatchObject({ code: 0, signal: null });
});

test('ends well on Ctrl-C, pressed twice, through npm', async () => {
  const server = await startReady();
  // npm and run.mjs pass on what the whole group is sent.
  process.kill(-server.pid, 'SIGINT');
  process.kill(-server.pid, 'SIGINT');
  await server.exited;
  expect(server.said.stderr).not.toMatch(/npm error/);
  await expectNothingLeft();
});

test.each([
  ['npm', NPM_START],
  ['the start script', START],
])('ends by itself when %s is killed', async (_, command) => {
  const server = await startReady(command);
  process.kill(server.pid, 'SIGKILL');
  await expectNothingLeft();
});

test('starts again after everything but PostgreSQL was killed at once, and remembers', async () => {
  const account = {
    email: 'ada@example.com',
    password: 'a long enough secret',
    firstName: 'Ada',
    lastName: 'Byron',
  };
  const first = await startReady();
  expect((await post(first.url, '/api/signup', account)).status).toBe(201);
  killGroup(first);
  await first.exited;
  expect(processesOf(home).map(({ command }) => command)).toContainEqual(expect.stringContaining('postgres'));

  const second = await startReady();
  expect((await post(second.url, '/api/login', account)).status).toBe(200);
});

test('refuses a second start on one data folder in one line, and leaves the first alone', async () => {
  const first = await startReady(START);
  const second = start(START, { PORT: String(await freePort()) });
  expect(await second.exited).toMatchObject({ code: 1 });
  expect(lines(second.said.stderr)).toEqual([expect.stringContaining(settings.DATA_DIR ?? '')]);
  expect((await fetch(new URL('/readyz', first.url))).status).toBe(200);
});

test('says in one line that the port is in use', async () => {
  const other: Server = createServer();
  await new Promise<void>((resolve) => {
    other.listen(Number(settings.PORT), '127.0.0.1', resolve);
  });
  try {
    const server = start(START);
    expect(await server.exited).toMatchObject({ code: 1 });
    expect(lines(server.said.stderr)).toEqual([expect.stringContaining(`${settings.PORT}`)]);
    await expectNothingLeft();
  } finally {
    other.close();
  }
});

test('says in one line which setting is wrong', async () => {
  const server = start(START, { PORT: 'http' });
  expect(await server.exited).toMatchObject({ code: 1 });
  expect(lines(server.said.stderr)).toEqual([expect.stringMatching(/\bPORT\b/)]);
});

function post(url: string, path: string, body: object): Promise<Response> {
  return fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
