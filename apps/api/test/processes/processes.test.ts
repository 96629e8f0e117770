import {
  type AppProcess,
  DEFAULT_DISK_SIZE,
  GB,
  MAX_DISK_SIZE,
  MAX_DISKS,
  MIN_DISK_SIZE,
  PLANS,
  type Project,
} from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ProcessStatus } from '../../src/domains/deployments/engine/engine.ts';
import { measureDisks } from '../../src/domains/disks/measure.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const MB = 1024 ** 2;
const ABSENT = '01890000-0000-7000-8000-000000000000';
const REPOSITORY = 'https://git.example.com/ada/app.git';

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine }, running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterEach(() => world.deps.db.deleteFrom('projects').execute());

afterAll(() => world.close());

const worker = { name: 'worker', command: 'node worker.js', instances: 2, memory: 256, cpu: 50, tasks: 64 };

async function create(input: Record<string, unknown> = {}): Promise<Project> {
  const answer = await ada.rest('POST /api/projects', { body: { name: 'App', ...input } });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as Project;
}

/** Brings the newest deployment to run. */
async function run(projectId: string, settings?: object) {
  const [latest] = await ada.rpc.deployments.list.query({ id: projectId });
  const { job, succeed } = await engine.runOf(latest?.id ?? '');
  if (settings) expect(job).toMatchObject(settings);
  await job.onProgress({ status: 'deploying', step: 'start', releaseKept: true });
  await succeed();
  await expect
    .poll(async () => (await ada.rpc.projects.get.query({ id: projectId })).liveDeploymentId)
    .toBe(latest?.id);
  return job;
}

function status(change: Partial<ProcessStatus>): ProcessStatus {
  return {
    ...{ process: 'web', instance: 1, command: 'node server.js', state: 'running', restarts: 0, port: 41000 },
    ...{ since: '2026-01-01T00:00:00.000Z', reason: '', node: null },
    ...change,
  };
}

describe('processes', () => {
  test('are what was found, what is set, and what runs, by both doors', async () => {
    const { id } = await create({ settings: { processes: [worker] } });
    const route = `GET /api/projects/${id}/processes` as const;
    expect(await ada.rest(route)).toMatchObject({
      status: 200,
      body: [{ name: 'worker', command: 'node worker.js', source: 'settings', instances: [] }],
    });
    const { process: _, command: __, ...web } = status({});
    engine.changeProcesses(id, [status({}), status({ process: 'mailer', state: 'failed', port: null })]);
    const listed = await ada.rpc.processes.list.query({ id });
    expect(listed.map(({ name, source }) => `${name} ${source}`)).toEqual([
      ...['web repository', 'worker settings', 'mailer repository'],
    ]);
    expect(listed[0]).toEqual({
      ...{ name: 'web', command: 'node server.js', source: 'repository', instances: [web] },
    });
    await ada.rpc.projects.update.mutate({ id, settings: { startCommand: 'node other.js' } });
    expect((await ada.rest(route)).body).toMatchObject([
      { name: 'web', command: 'node other.js', source: 'settings' },
      { name: 'worker' },
      { name: 'mailer' },
    ]);
  });

  test("are nobody else's", async () => {
    const { id } = await create();
    const absent = await bob.rest(`GET /api/projects/${ABSENT}/processes`);
    expect(await bob.rest(`GET /api/projects/${id}/processes`)).toMatchObject({
      ...{ status: 404, body: { message: (absent.body as { message: string }).message } },
    });
    expect(await world.anyone.rest(`GET /api/projects/${id}/processes`)).toMatchObject({ status: 401 });
  });

  test('are told as they change', async () => {
    const { id } = await create();
    const seen: AppProcess[][] = [];
    const watching = ada.rpc.processes.changes.subscribe({ id }, { onData: ({ data }) => seen.push(data) });
    await expect.poll(() => seen.length).toBe(1);
    engine.changeProcesses(id, [status({ state: 'crashed', reason: 'exited with code 1' })]);
    await expect
      .poll(() => seen.at(-1)?.[0]?.instances)
      .toMatchObject([{ state: 'crashed', reason: 'exited with code 1' }]);
    watching.unsubscribe();
  });

  test('change with a restart, which takes the present settings of running, and with no rollback', async () => {
    const { id } = await create({ repositoryUrl: REPOSITORY, settings: { buildCommand: 'one' } });
    const first = await run(id);
    await ada.rpc.projects.update.mutate({
      id,
      settings: { processes: [worker], stopTimeout: 30, buildCommand: 'two' },
    });
    expect((await ada.rest(`POST /api/projects/${id}/restart`)).status).toBe(201);
    await run(id, { settings: { processes: [worker], stopTimeout: 30, buildCommand: 'one' } });
    await ada.rpc.projects.update.mutate({ id, settings: { processes: [] } });
    await ada.rest(`POST /api/deployments/${first.deploymentId}/rollback`);
    await run(id, { settings: { processes: [], stopTimeout: null, buildCommand: 'one' } });
    await ada.rest(`POST /api/projects/${id}/restart`);
    await run(id, { settings: { processes: [], stopTimeout: 30, buildCommand: 'one' } });
  });
});

describe('disks', () => {
  test('are added, listed and given to the app, and deleted once it is stopped', async () => {
    const { id } = await create({ repositoryUrl: REPOSITORY });
    await run(id);
    const route = `/api/projects/${id}/disks` as const;
    const added = await ada.rest(`POST ${route}`, { body: { name: 'data' } });
    const unmeasured = { bytes: 0, measuredAt: null, limited: null };
    const disk = { name: 'data', path: '/data', size: DEFAULT_DISK_SIZE, ...unmeasured };
    expect(added).toMatchObject({ status: 201, body: disk });
    const uploads = await ada.rpc.disks.add.mutate({
      id,
      name: 'uploads',
      path: './public/uploads/',
      size: 64,
    });
    expect(uploads).toMatchObject({ path: 'public/uploads', size: 64 });
    expect((await ada.rest(`GET ${route}`)).body).toMatchObject({
      ...{ mounted: false, limited: true, growsInUse: true, disks: [disk, { name: 'uploads' }] },
    });
    expect((await ada.rest(`POST /api/projects/${id}/restart`)).status).toBe(201);
    await run(id, {
      disks: [
        { name: 'data', size: DEFAULT_DISK_SIZE },
        { id: uploads.id, size: 64 },
      ],
    });

    expect(await ada.rest(`DELETE ${route}/uploads`)).toMatchObject({
      status: 409,
      body: {
        code: 'IN_USE',
        message: 'The app uses this disk. Stop the app first, then delete the disk.',
      },
    });
    await ada.rest(`POST /api/projects/${id}/stop`);
    expect(await ada.rest(`DELETE ${route}/absent`)).toMatchObject({ status: 404 });
    expect(await ada.rest(`DELETE ${route}/uploads`)).toMatchObject({ status: 200, body: { success: true } });
    await engine.told(engine.removed, uploads.id);
    expect((await ada.rpc.disks.list.query({ id })).disks).toMatchObject([disk]);
  });

  test.each([
    [{ name: 'Data' }, 'name'],
    [{ name: '1' }, 'name'],
    [{ name: 'a', path: '/etc/app' }, 'path'],
    [{ name: 'a', path: '/app' }, 'path'],
    [{ name: 'a', path: '/lib64' }, 'path'],
    [{ name: 'a', path: '/var/' }, 'path'],
    [{ name: 'a', path: '/taken' }, 'path'],
    [{ name: 'a', path: '/' }, 'path'],
    [{ name: 'a', path: 'a/../../b' }, 'path'],
    [{ name: 'a', path: '/data\n' + 'x' }, 'path'],
    [{ name: 'a', size: MIN_DISK_SIZE - 1 }, 'size'],
    [{ name: 'a', size: MAX_DISK_SIZE + 1 }, 'size'],
    [{ name: 'a', size: 64.5 }, 'size'],
    [{ name: 'a', size: '1024' }, 'size'],
  ])('refuses %j', async (body, field) => {
    const { id } = await create();
    expect(await ada.rest(`POST /api/projects/${id}/disks`, { body })).toMatchObject({
      status: 400,
      body: { fields: [{ path: field }] },
    });
  });

  test('become larger by both doors, never smaller, and never larger than the plan', async () => {
    const { id } = await create();
    const disk = await ada.rpc.disks.add.mutate({ id, name: 'data', size: MIN_DISK_SIZE });
    const route = `PATCH /api/projects/${id}/disks/data` as const;
    const grown = await ada.rest(route, { body: { size: 65 } });
    expect(grown).toMatchObject({ status: 200, body: { ...disk, size: 65 } });
    await engine.told(engine.grown, `${disk.id} 65`);
    expect(await ada.rpc.disks.grow.mutate({ id, name: 'data', size: 2048 })).toMatchObject({ size: 2048 });
    await engine.told(engine.grown, `${disk.id} 2048`);
    const message = "This disk has 2048 MB. It can't be made smaller, because its files might no longer fit.";
    expect(await ada.rest(route, { body: { size: 2047 } })).toMatchObject({
      ...{ status: 400, body: { message, fields: [{ path: 'size', message }] } },
    });
    const most = PLANS.starter.storage / MB;
    const tooLarge = {
      status: 403,
      body: {
        code: 'QUOTA_EXCEEDED',
        message:
          "Your Starter plan includes 10 GB of storage, and a disk can't be larger than that. " +
          'Choose a smaller size, or upgrade your plan under Billing.',
      },
    };
    expect(await ada.rest(route, { body: { size: most + 1 } })).toMatchObject(tooLarge);
    const body = { name: 'b', path: '/b', size: most + 1 };
    expect(await ada.rest(`POST /api/projects/${id}/disks`, { body })).toMatchObject(tooLarge);
    expect(await ada.rest(route, { body: { size: most } })).toMatchObject({ status: 200 });
    const absent = `PATCH /api/projects/${id}/disks/absent` as const;
    expect(await ada.rest(absent, { body: { size: 4096 } })).toMatchObject({ status: 404 });
    expect((await ada.rpc.disks.list.query({ id })).disks).toMatchObject([{ size: most }]);
  });

  test('have names and paths of their own, and an end', async () => {
    const { id } = await create();
    const add = (name: string, path: string) =>
      ada.rest(`POST /api/projects/${id}/disks`, { body: { name, path } });
    await add('a', 'data');
    expect(await add('a', '/other')).toMatchObject({ status: 409, body: { code: 'EXISTS' } });
    for (const path of ['/app/data', 'data/deeper']) {
      expect(await add('b', path)).toMatchObject({
        status: 409,
        body: { message: 'This project already has a disk at this path.' },
      });
    }
    for (let n = 1; n < MAX_DISKS; n += 1)
      expect(await add(`n${n}`, `/library/n${n}`)).toMatchObject({ status: 201 });
    expect(await add('more', '/more')).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED', message: 'A project can have up to 5 disks.' },
    });
  });

  test("are nobody else's", async () => {
    const { id } = await create();
    await ada.rpc.disks.add.mutate({ id, name: 'data' });
    expect(await bob.rest(`GET /api/projects/${id}/disks`)).toMatchObject({ status: 404 });
    const body = { name: 'mine' };
    expect(await bob.rest(`POST /api/projects/${id}/disks`, { body })).toMatchObject({ status: 404 });
    const size = { body: { size: 4096 } };
    expect(await bob.rest(`PATCH /api/projects/${id}/disks/data`, size)).toMatchObject({ status: 404 });
    expect(await world.anyone.rest(`PATCH /api/projects/${id}/disks/data`, size)).toMatchObject({
      status: 401,
    });
    expect(await bob.rest(`DELETE /api/projects/${id}/disks/data`)).toMatchObject({ status: 404 });
    expect(await world.anyone.rest(`GET /api/projects/${id}/disks`)).toMatchObject({ status: 401 });
  });

  test("count with the owner's storage, and hold up deployments but no restart where that is full", async () => {
    const { id } = await create({ repositoryUrl: REPOSITORY });
    const disk = await ada.rpc.disks.add.mutate({ id, name: 'data' });
    await run(id);
    const storage = async () => (await ada.rpc.billing.limits.query()).storage.used;
    const before = await storage();
    engine.diskUses.set(disk.id, { bytes: 3 * GB, limited: false });
    const measure = () => measureDisks({ ...world.deps, engine });
    await measure();
    expect(await storage()).toBe(before + 3 * GB);
    expect((await ada.rpc.disks.list.query({ id })).disks).toMatchObject([
      { bytes: 3 * GB, limited: false, measuredAt: expect.any(String) },
    ]);
    engine.diskUses.set(disk.id, { bytes: PLANS.starter.storage + 1, limited: true });
    await measure();
    expect(await ada.rest(`POST /api/projects/${id}/deployments`)).toMatchObject({
      status: 403,
      body: {
        code: 'QUOTA_EXCEEDED',
        message:
          'Your Starter plan includes 10 GB of storage and 10 GB are in use, disks included. ' +
          'Free some space or upgrade your plan under Billing, then deploy again.',
      },
    });
    expect(
      (await ada.rest(`POST /api/projects/${id}/disks`, { body: { name: 'b', path: '/b' } })).status,
    ).toBe(403);
    expect((await ada.rest(`POST /api/projects/${id}/restart`)).status).toBe(201);
    await ada.rest(`DELETE /api/projects/${id}`);
    await expect.poll(storage).toBe(before);
  });
});
