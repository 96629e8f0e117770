import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb, createPool, migrate } from '@nephos/db';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@nephos/db/embedded';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from './world.ts';

const ROUNDS = 2;
/** Milliseconds within which every request has its answer, database or not. */
const PATIENCE = 5000;

let folder: string;
let server: EmbeddedPostgres;
let world: World;
let ada: Person;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nephos-down-'));
  await chmod(folder, 0o711);
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'pg') });
  const db = createDb(createPool({ url: server.url, max: 1 }));
  await migrate(db);
  await db.destroy();
  world = await createWorld({ databaseUrl: server.url, running: true });
  ada = await world.as('Ada');
});

afterAll(async () => {
  await world.close();
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
    expect.poll(condition, { timeout: 20_000, interval: 20 }).toBe(true);

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
    await expect
      .poll(async () => (await ada.rest('GET /api/projects')).status, { timeout: 10_000 })
      .toBe(200);
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
  await expect.poll(async () => (await ada.rest('GET /readyz')).status, { timeout: 10_000 }).toBe(200);
});

test('the streams are told what happened while the database was away', async () => {
  const repositoryUrl = `file://${folder}/nothing`;
  const project = await ada.rpc.projects.create.mutate({ name: 'Watched', repositoryUrl });
  const seen = new Set<string>();
  const stream = ada.rpc.deployments.changes.subscribe(
    { id: project.id },
    { onData: (event) => seen.add(event.data.id) },
  );
  await expect.poll(() => seen.size, { timeout: 10_000 }).toBe(1);
  await killPostgres();
  await startPostgres();
  await expect.poll(async () => (await ada.rest('GET /readyz')).status, { timeout: 10_000 }).toBe(200);
  const { id } = await ada.rpc.deployments.create.mutate({ id: project.id });
  await expect.poll(() => seen.has(id), { timeout: 15_000 }).toBe(true);
  stream.unsubscribe();
});
