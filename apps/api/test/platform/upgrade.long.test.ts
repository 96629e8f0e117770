import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createDb, createPool } from '@nephos/db';
import { addressOfRunning } from '@nephos/db/embedded';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { root } from '../../../../tools/process.mjs';
import { requireTool } from '../../../../tools/require-tool.ts';
import { freePort, killGroup, processesOf, startServer } from '../../../../tools/server-process.mjs';
import { readReturn } from '../../src/upgrade/releases.ts';
import { READY_MS } from '../killable-server.ts';
import { removeNetworks } from '../remove-networks.ts';
import { PASSWORD } from '../world.ts';
import {
  addMigration,
  type Change,
  diesOfItsWork,
  diesOnceItServes,
  layRelease as layReleaseIn,
  neverReady,
} from './laid-releases.ts';
import { mountSmallDisk } from './small-disk.ts';

const HOLDER = join(import.meta.dirname, 'fixtures', 'socket-holder.py');
/** What an upgrade has said when a kill comes, up to this many milliseconds later. */
const MOMENTS = ['No backup', 'brings the database', 'starts', 'starts', 'is ready'];
const LATER_MS = 2500;
/** What releases and data take, and what an upgrade wants to be free. */
const DISK_MB = 800;

/** What `systemctl restart` does of a service: ends it, and is back once it was started again. `show` tells how often it was by itself. */
const SYSTEMCTL = `#!/bin/sh
set -e
cd "$(dirname "$PID_FILE")"
if [ "$*" = 'show --property NRestarts --value nephos.service' ]; then exec cat restarts; fi
if [ "$*" = 'reset-failed nephos.service' ]; then exec echo 0 >restarts; fi
[ "$*" = 'restart nephos.service' ]
before=$(cat "$PID_FILE")
touch asked
kill "$before" || true
while [ "$(cat "$PID_FILE")" = "$before" ]; do sleep 0.05; done
`;

let home: string;
let url: string;
let env: NodeJS.ProcessEnv;
let unmount: (() => void) | undefined;
let service: ReturnType<typeof startServer> | undefined;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'nephos-upgrade-'));
  unmount = mountSmallDisk(home, { size: DISK_MB, mode: 711 });
  chmodSync(home, 0o711);
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'systemctl'), SYSTEMCTL, { mode: 0o755 });
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const settings = { PORT: port, DATA_DIR: join(home, 'data'), LOG_LEVEL: 'error', RATE_LIMITS: 'off' };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(home, 'nephos.env'), lines.join(''));
  env = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    NEPHOS_HOME: home,
    NEPHOS_SETTINGS: join(home, 'nephos.env'),
    PID_FILE: join(home, 'pid'),
    DNS_PORT: '0',
  };
  layRelease('0.1.0');
  layRelease('0.2.0', addMigration);
  layRelease('0.3.0', neverReady);
  layRelease('0.4.0', diesOfItsWork);
  layRelease('0.9.0', skipsOthers);
  symlinkSync('releases/0.1.0', join(home, 'current'));
  service = startServer({
    command: ['python3', HOLDER, `tcp:${port}:http`, '--', join(root, 'deploy/nephos'), 'serve'],
    cwd: home,
    settings: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? ''])),
  });
  await service.ready(3 * READY_MS);
  expect(await post('/api/signup')).toBe(201);
});

afterEach(() => {
  expect(existsSync(join(home, 'current'))).toBe(true);
});

afterAll(async () => {
  if (service) killGroup(service);
  for (const { pid } of processesOf(home)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended since it was listed.
    }
  }
  await removeNetworks(join(home, 'data'));
  unmount?.();
  rmSync(home, { recursive: true, force: true });
});

/** A release whose install.sh tells what it would do to the units of this machine. */
function layRelease(version: string, ...changes: readonly Change[]): void {
  const folder = layReleaseIn(home, version, ...changes);
  writeFileSync(join(folder, 'install.sh'), `echo ${version} >"$NEPHOS_HOME/units"\n`);
}

function skipsOthers(folder: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '0.9.0', upgradesFrom: '0.8.0' }));
}

function upgradeTo(version: string, more: readonly string[] = []) {
  const command = ['upgrade', '--to', version, '--without-backup', ...more];
  const child = spawn(join(root, 'deploy/nephos'), command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said.text += text;
    });
  }
  const exited = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, said: said.text }));
  return { child, said, exited };
}

/** The version that runs, by the folder that it runs in. */
function running(): string {
  return basename(readlinkSync(`/proc/${readFileSync(join(home, 'pid'), 'utf8')}/cwd`));
}

function current(): string {
  return basename(readlinkSync(join(home, 'current')));
}

/** An upgrade that was killed late may have come to its end. */
function otherVersion(): string {
  return current() === '0.1.0' ? '0.2.0' : '0.1.0';
}

async function isReady(): Promise<boolean> {
  const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(5000) }).catch(
    () => null,
  );
  return response?.ok === true;
}

async function post(path: string): Promise<number> {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
  });
  return response.status;
}

async function hasNewTable(): Promise<boolean> {
  const address = await addressOfRunning(join(home, 'data', 'pg'));
  const db = createDb(createPool({ url: address ?? '', max: 1 }));
  const { rows } = await sql<{ has: boolean }>`select to_regclass('newer') is not null as has`.execute(db);
  await db.destroy();
  return rows[0]?.has === true;
}

test.skipIf(!requireTool('python3'))(
  'a version that does not become ready gives way to the one before',
  async () => {
    const { code, said } = await upgradeTo('0.3.0', ['--timeout', '4']).exited;
    expect({ code, said }).toEqual({
      code: 1,
      said: expect.stringMatching(/0\.3\.0 did not become ready \(.+\); 0\.1\.0 serves/),
    });
    expect(await isReady()).toBe(true);
    expect(running()).toBe('0.1.0');
    expect(await post('/api/login')).toBe(200);
  },
);

test('a version that dies of its first work gives way as well', async () => {
  const { code, said } = await upgradeTo('0.4.0').exited;
  expect({ code, said }).toEqual({
    code: 1,
    said: expect.stringMatching(/0\.4\.0 is ready.*0\.4\.0 did not become ready \(its process ended\)/s),
  });
  expect({ running: running(), current: current() }).toEqual({ running: '0.1.0', current: '0.1.0' });
});

test('a version that takes away what this one uses is refused before anything is done', async () => {
  const { code, said } = await upgradeTo('0.9.0').exited;
  expect({ code, said }).toEqual({
    code: 1,
    said: 'nephos upgrade: version 0.9.0 can follow 0.8.0, and 0.1.0 serves: upgrade by --to 0.8.0 first\n',
  });
});

test('who ends it while a version is on trial gets the one before back', async () => {
  const { child, said, exited } = upgradeTo('0.2.0');
  await expect.poll(() => said.text, { timeout: READY_MS }).toContain('starts');
  child.kill('SIGTERM');
  expect(await exited).toEqual({
    code: 1,
    said: expect.stringContaining('(it was cancelled); 0.1.0 serves'),
  });
  expect({ ready: await isReady(), running: running() }).toEqual({ ready: true, running: '0.1.0' });
});

test('whenever it is killed, the next start is of one whole version on all of its data', async () => {
  for (const moment of MOMENTS) {
    const after = randomInt(LATER_MS);
    const { child, said, exited } = upgradeTo(otherVersion());
    await expect.poll(() => said.text, { timeout: 3 * READY_MS }).toContain(moment);
    await Promise.race([wait(after), exited]);
    child.kill('SIGKILL');
    await exited;
    // As where power is lost: the server goes with it.
    process.kill(Number(readFileSync(join(home, 'pid'), 'utf8')), 'SIGKILL');
    await wait(100);
    await expect.poll(isReady, { timeout: READY_MS }).toBe(true);
    expect({ moment, after, running: running() }).toEqual({ moment, after, running: current() });
    expect(await post('/api/login')).toBe(200);
  }
}, 400_000);

test('a disk that is full at any moment leaves the version before, which serves', async ({ skip }) => {
  if (!unmount) return skip();
  const before = current();
  for (const moment of ['', 'No backup', 'brings the database']) {
    if (moment === '') fillDisk();
    const { child, said, exited } = upgradeTo(otherVersion());
    if (moment !== '') {
      await expect.poll(() => said.text, { timeout: READY_MS, interval: 5 }).toContain(moment);
      child.kill('SIGSTOP');
      fillDisk();
      child.kill('SIGCONT');
    }
    const ended = await exited;
    expect({ moment, ...ended }).toEqual({
      ...{ moment, code: 1 },
      said: expect.stringContaining(`${before} serves`),
    });
    expect({ running: running(), current: current() }).toEqual({ running: before, current: before });
    rmSync(join(home, 'filler'));
    await expect.poll(isReady, { timeout: READY_MS }).toBe(true);
    expect(await post('/api/login')).toBe(200);
  }
}, 240_000);

/** Takes all room, to the last block. */
function fillDisk(): void {
  spawnSync('dd', ['if=/dev/zero', `of=${join(home, 'filler')}`, 'bs=1M']);
}

test('a version that becomes ready serves, with what it needs of the database, and nobody is refused, though the terminal is gone', async () => {
  const outcomes: string[] = [];
  const visits = new AbortController();
  const visiting = visitUntil(visits.signal, outcomes);
  const version = otherVersion();
  const { child, said } = upgradeTo(version);
  await expect.poll(() => said.text, { timeout: READY_MS }).toContain('starts');
  child.kill('SIGHUP');
  child.stdout.destroy();
  child.stderr.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
  visits.abort();
  await visiting;
  expect([...new Set(outcomes)]).toEqual(['200']);
  expect({ running: running(), current: current() }).toEqual({ running: version, current: version });
  expect(readFileSync(join(home, 'units'), 'utf8')).toBe(`${version}\n`);
  expect(readdirSync(join(home, 'releases')).toSorted()).toEqual(['0.1.0', '0.2.0']);
  expect(await hasNewTable()).toBe(true);
  expect(await post('/api/login')).toBe(200);
  expect(readdirSync(home).filter((name) => name.startsWith('try') || name.startsWith('trial'))).toEqual([]);
});

test('a version on probation is blamed neither for settings nor for what was before, and its probation ends with the next upgrade', async () => {
  const restarts = join(home, 'restarts');
  const version = otherVersion();
  const { said, exited } = upgradeTo(version);
  await expect.poll(() => said.text, { timeout: 3 * READY_MS }).toContain('is ready');
  writeFileSync(restarts, '7');
  expect(await exited).toMatchObject({ code: 0 });
  expect(readFileSync(restarts, 'utf8').trim()).toBe('0');
  expect(existsSync(join(home, 'before'))).toBe(true);

  const settings = join(home, 'nephos.env');
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, `${text}LOG_LEVEL=shout\n`);
  process.kill(Number(readFileSync(join(home, 'pid'), 'utf8')), 'SIGKILL');
  const seen = new Set<string>();
  await expect
    .poll(() => seen.add(readFileSync(join(home, 'pid'), 'utf8')).size, { timeout: 2 * READY_MS })
    .toBeGreaterThan(5);
  writeFileSync(settings, text);
  await expect.poll(isReady, { timeout: READY_MS }).toBe(true);
  expect({ running: running(), current: current() }).toEqual({ running: version, current: version });

  layRelease('0.3.0', neverReady);
  expect(await upgradeTo('0.3.0', ['--timeout', '1']).exited).toMatchObject({ code: 1 });
  expect(existsSync(join(home, 'before'))).toBe(false);
}, 240_000);

test('a version that ends again and again once it serves gives way, too', async () => {
  const before = current();
  layRelease('0.5.0', diesOnceItServes);
  const { code, said } = await upgradeTo('0.5.0').exited;
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('0.5.0 serves. Should it end') });
  await expect.poll(current, { timeout: 6 * READY_MS }).toBe(before);
  await expect.poll(isReady, { timeout: READY_MS }).toBe(true);
  expect(running()).toBe(before);
  expect(await post('/api/login')).toBe(200);
  expect(readReturn(home)?.said).toMatch(
    /^Version 0\.5\.0 ended by itself or hung 3 times .+ serves again\./,
  );
  // What is over counts for nothing any more.
  process.kill(Number(readFileSync(join(home, 'pid'), 'utf8')), 'SIGKILL');
  await wait(100);
  await expect.poll(isReady, { timeout: READY_MS }).toBe(true);
  expect(running()).toBe(before);
}, 240_000);

async function visitUntil(signal: AbortSignal, outcomes: string[]): Promise<void> {
  while (!signal.aborted) {
    const response = await fetch(new URL('/healthz', url), { headers: { connection: 'close' } }).catch(
      (error: Error) => ({ status: error.message }),
    );
    outcomes.push(String(response.status));
    await wait(20);
  }
}
