import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { newIdempotencyKey } from '@nephos/contracts/client';
import { createDb, createPool, migrate } from '@nephos/db';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@nephos/db/embedded';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processesOf } from '../../../../tools/server-process.mjs';
import { notify } from '../../src/platform/notifications.ts';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { sendsByKey, startTransfers } from '../ledger/transfers.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { createDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';

const ROUNDS = 2;
/** Milliseconds within which every request has its answer, database or not. */
const PATIENCE = 5000;
/** The same for the question whether the console is ready. */
const READY_PATIENCE = 2000;
/** Milliseconds between two looks at a console whose database says nothing. */
const LOOK_EVERY = 100;
/** Long enough for a connection that waits to be given up. */
const FROZEN_MS = 6000;

let folder: string;
let server: EmbeddedPostgres;
let proxy: DatabaseProxy;
let world: World;
let ada: Person;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nephos-down-'));
  await chmod(folder, 0o711);
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'pg') });
  const db = createDb(createPool({ url: server.url, max: 1 }));
  await migrate(db);
  await db.destroy();
  proxy = await createDatabaseProxy(server.url);
  world = await createWorld({ databaseUrl: proxy.url, running: true });
  ada = await world.as('Ada');
});

afterAll(async () => {
  await world.close();
  await proxy.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** As a crash of the machine's PostgreSQL: the postmaster and all of its children at once. */
async function killPostgres(): Promise<void> {
  process.kill(-server.pid, 'SIGKILL');
  await server.exited;
}

async function startPostgres(): Promise<void> {
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'pg'), port: server.port });
}

interface Attempt {
  name: string;
  status: number;
  ms: number;
}

async function writeVariable(projectId: string, name: string): Promise<Attempt> {
  const began = performance.now();
  const { status } = await ada.rest(`PUT /api/projects/${projectId}/variables/${name}`, {
    body: { value: 'x' },
  });
  return { name, status, ms: performance.now() - began };
}

test('PostgreSQL dies under load and comes back: 503 meanwhile, no exit, no acknowledged write lost', async () => {
  const project = await ada.rpc.projects.create.mutate({ name: 'Survivor' });
  const attempts: Attempt[] = [];
  let writing = true;
  let next = 0;
  const write = async () => {
    while (writing && next < 95) {
      next += 1;
      attempts.push(await writeVariable(project.id, `V${next}`));
    }
  };
  const until = (condition: () => boolean) =>
    expect.poll(condition, { timeout: 60_000, interval: 20 }).toBe(true);

  for (let round = 0; round < ROUNDS; round += 1) {
    const before = attempts.length;
    writing = true;
    const writers = [write(), write(), write()];
    await until(() => attempts.length >= before + 10);
    await killPostgres();
    await until(() => attempts.slice(before).some(({ status }) => status === 503));
    expect((await world.anyone.rest('GET /healthz')).status).toBe(200);
    expect(await world.anyone.rest('GET /readyz')).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE' },
    });
    await expect(ada.rpc.projects.list.query()).rejects.toMatchObject({
      message: expect.stringContaining('Service temporarily unavailable'),
      data: { httpStatus: 503, reason: 'UNAVAILABLE' },
    });
    writing = false;
    await Promise.all(writers);
    await startPostgres();
    await expect.poll(async () => (await ada.rest('GET /api/projects')).status).toBe(200);
  }

  const acknowledged = attempts.filter(({ status }) => status === 200).map(({ name }) => name);
  const stored = (await ada.rpc.projects.variables.query({ id: project.id })).map(({ name }) => name);
  expect(acknowledged.length).toBeGreaterThanOrEqual(10);
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  expect([...new Set(attempts.map(({ status }) => status))].sort()).toEqual([200, 503]);
  expect(Math.max(...attempts.map(({ ms }) => ms))).toBeLessThan(PATIENCE);
});

test('a 503 says when to come back', async () => {
  await killPostgres();
  const answer = await ada.rest('GET /api/projects');
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('2');
  expect(answer.text).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|postgres/);
  await startPostgres();
  await expect.poll(async () => (await ada.rest('GET /readyz')).status).toBe(200);
});

test('the streams are told what happened while the database was away', async () => {
  const repositoryUrl = `file://${folder}/nothing`;
  const project = await ada.rpc.projects.create.mutate({ name: 'Watched', repositoryUrl });
  const seen = new Set<string>();
  const stream = ada.rpc.deployments.changes.subscribe(
    { id: project.id },
    { onData: (event) => seen.add(event.data.id) },
  );
  await expect.poll(() => seen.size).toBe(1);
  await killPostgres();
  await startPostgres();
  await expect.poll(async () => (await ada.rest('GET /readyz')).status).toBe(200);
  const { id } = await ada.rpc.deployments.create.mutate({ id: project.id });
  await expect.poll(() => seen.has(id)).toBe(true);
  stream.unsubscribe();
});

interface Look {
  status: number;
  ms: number;
  /** On the clock of `performance.now()`. */
  at: number;
}

/** Asks every tenth of a second, without waiting for answers, until it is told to stop. */
function lookAt(path: string) {
  const looks: Promise<Look>[] = [];
  let looking = true;
  const look = async (): Promise<Look> => {
    const began = performance.now();
    const status = await ada.rest(`GET ${path}`).then(
      (answer) => answer.status,
      () => 0,
    );
    return { status, ms: performance.now() - began, at: performance.now() };
  };
  const done = (async () => {
    while (looking) {
      looks.push(look());
      await wait(LOOK_EVERY);
    }
  })();
  return async (): Promise<Look[]> => {
    looking = false;
    await done;
    return Promise.all(looks);
  };
}

/**
 * Has people send money, read and listen, through `fault`, which resolves to the moment when the database could be
 * had again. Tells how many milliseconds after that the first read was answered.
 */
async function liveThrough(fault: () => Promise<number>): Promise<number> {
  const db = createDb(createPool({ url: server.url, max: 1 }));
  const earlier = await sendsByKey(db);
  const heard: string[] = [];
  let missed = 0;
  const leave = world.deps.notifications.subscribe(
    'silence',
    (payload) => heard.push(payload),
    () => {
      missed += 1;
    },
  );
  await expect.poll(() => missed).toBe(1);
  const transfers = await startTransfers(ada, { clients: 3 });
  const stops = [lookAt('/api/projects'), lookAt('/readyz')];
  await expect.poll(() => transfers.acknowledged.size).toBeGreaterThan(10);

  const restored = await fault();
  const before = transfers.acknowledged.size;
  await expect.poll(() => transfers.acknowledged.size).toBeGreaterThan(before + 10);
  await expect.poll(() => missed).toBe(2);
  await notify(db, 'silence', 'again');
  await expect.poll(() => heard).toEqual(['again']);
  await transfers.stop();
  const [reads = [], readiness = []] = await Promise.all(stops.map((stop) => stop()));
  leave();

  const { id } = await ada.rpc.projects.create.mutate({
    name: 'After',
    repositoryUrl: `file://${folder}/none`,
  });
  const statuses = async () => (await ada.rpc.deployments.list.query({ id })).map(({ status }) => status);
  await expect.poll(statuses).toEqual(['failed']);
  expect(await sendsByKey(db)).toEqual(new Map([...earlier, ...transfers.acknowledged]));
  expect(await faultsOfLedger(db)).toEqual([]);
  await db.destroy();

  expect([...transfers.unknown].filter((status) => status !== 503 && status !== 409)).toEqual([]);
  expect(new Set([...reads, ...readiness].map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect(Math.max(transfers.slowest(), ...reads.map(({ ms }) => ms))).toBeLessThan(PATIENCE);
  expect(Math.max(...readiness.map(({ ms }) => ms))).toBeLessThan(READY_PATIENCE);
  const first = reads.find(({ status, at }) => status === 200 && at > restored);
  return (first?.at ?? Number.POSITIVE_INFINITY) - restored;
}

test('links that carry nothing any more are found out and replaced: nothing waits for long, nothing is lost', async () => {
  const silent = await liveThrough(async () => {
    proxy.blackHole();
    return performance.now();
  });
  expect(silent).toBeLessThan(PATIENCE);
});

test('a database that hangs is 503 within seconds, and is used again as soon as it goes on', async () => {
  const silent = await liveThrough(async () => {
    const frozen = processesOf(join(folder, 'pg')).map(({ pid }) => pid);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    await wait(FROZEN_MS);
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    return performance.now();
  });
  expect(silent).toBeLessThan(PATIENCE);
});

test('a write whose commit was not answered is 503, and repeated with its key it was done once', async () => {
  const headers = { 'idempotency-key': newIdempotencyKey() };
  const create = () => ada.rest('POST /api/projects', { headers, body: { name: 'Once' } });
  // The statement, not a column of that name.
  proxy.loseAnswerTo('commit\0', 'insert into "projects"');
  expect(await create()).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  const again = await create();
  expect(again).toMatchObject({ status: 201, body: { name: 'Once' } });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const named = (await ada.rpc.projects.list.query()).filter(({ name }) => name === 'Once');
  expect(named).toHaveLength(1);
});
