import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@nephos/contracts/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentNode } from '../../../tools/process.mjs';
import {
  freePort,
  killGroup,
  processesLeft,
  processesOf,
  startServer,
} from '../../../tools/server-process.mjs';
import { addressOf, ask, concluded, makeDatabase, PATIENCE } from './database-fixtures.ts';
import { cookieOf, PASSWORD } from './world.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const READY_MS = 30_000;

let home: string;
let settings: Record<string, string>;
let server: ReturnType<typeof startServer> | undefined;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'nephos-databases-'));
  chmodSync(home, 0o711);
  settings = {
    PORT: String(await freePort()),
    DATA_DIR: join(home, 'data'),
    MANAGED_POSTGRES_PORT: String(await freePort()),
    DNS_PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
  };
});

afterEach(async () => {
  if (server) killGroup(server);
  for (const { pid } of processesOf(home)) process.kill(pid, 'SIGKILL');
  await processesLeft(home, 10_000);
  rmSync(home, { recursive: true, force: true });
});

async function start() {
  server = startServer({ command: [currentNode(), MAIN], cwd: home, settings });
  await server.ready(READY_MS);
  return server;
}

async function kill({ pid, exited }: ReturnType<typeof startServer>): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await exited;
}

async function signUp() {
  const url = `http://127.0.0.1:${settings.PORT}`;
  const response = await fetch(`${url}/api/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
  });
  expect(response.status).toBe(201);
  return { rpc: createClient({ url, headers: () => ({ cookie: cookieOf(response.headers) }) }) };
}

test('kill -9 between the answer and the making, the rotation or the removal loses none of them', {
  timeout: 120_000,
}, async () => {
  let running = await start();
  const ada = await signUp();
  const kept = await makeDatabase(ada, { name: 'kept' });
  const dropped = await makeDatabase(ada, { name: 'dropped' });
  const address = await addressOf(ada, kept);
  const doomed = await addressOf(ada, dropped);
  await ask(address, 'create table notes as select 7 as n');

  const made = await Promise.all(
    ['one', 'two', 'three'].map((name) => ada.rpc.databases.create.mutate({ name })),
  );
  await ada.rpc.databases.remove.mutate({ id: dropped.id });
  await kill(running);

  running = await start();
  for (const { id } of made) {
    const database = await concluded(ada, id);
    expect(database).toMatchObject({ status: 'available' });
    expect(await ask(await addressOf(ada, database), 'select 1')).toEqual([[1]]);
  }
  expect(await addressOf(ada, kept)).toBe(address);
  expect(await ask(address, 'select n from notes')).toEqual([[7]]);
  await expect.poll(() => ask(doomed, 'select 1').catch(({ code }) => code), PATIENCE).toBe('28P01');

  // The answer may be lost, but never the way in.
  const rotation = ada.rpc.databases.rotatePassword.mutate({ id: kept.id }).catch(() => undefined);
  await new Promise(setImmediate);
  await kill(running);
  await rotation;
  await start();
  const answer = async () => ask(await addressOf(ada, kept), 'select n from notes').catch(({ code }) => code);
  await expect.poll(answer, PATIENCE).toEqual([[7]]);
});
