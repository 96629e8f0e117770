import type { Metrics, ProjectActivity, ProjectEvent } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAppLogs } from '../../src/domains/deployments/app-log.ts';
import { createLiveDeployments } from '../../src/domains/deployments/live.ts';
import { createAppFigures, type Figures } from '../../src/domains/observability/app-figures.ts';
import { recordEvent, sweepEvents } from '../../src/domains/observability/events.ts';
import { storeFigures, sumHours, sweepMetrics } from '../../src/domains/observability/metrics-store.ts';
import { createMinutes } from '../../src/domains/observability/minutes.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MB = 1024 ** 2;
const NOWHERE = { port: null, node: null };

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let bea: Person;
let id: string;
let deploymentId: string;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine }, running: true });
  [ada, bea] = [await world.as('Ada'), await world.as('Bea')];
});

afterAll(() => world.close());

beforeEach(async () => {
  for (const { end } of engine.runs) end({ status: 'failed', step: 'clone', error: 'The test is over.' });
  await world.deps.db.deleteFrom('projects').execute();
  const repositoryUrl = 'https://git.example.com/app.git';
  const project = await ada.rpc.projects.create.mutate({ name: 'App', repositoryUrl });
  id = project.id;
  deploymentId = project.latestDeployment?.id ?? '';
});

function figures(process: string, changes: Partial<Figures> = {}): Figures {
  return {
    ...{ projectId: id, process, requests: 0, errors: 0, latencies: [], cpuMs: 600 },
    ...{ memorySum: 60 * 50 * MB, memorySamples: 60, memoryMax: 60 * MB, disk: null },
    ...changes,
  };
}

/** The start of the minute, so many minutes before the running one. */
function minute(ago: number): Date {
  return new Date(Math.floor(Date.now() / MINUTE) * MINUTE - ago * MINUTE);
}

async function read(range: string, until = ''): Promise<Metrics> {
  const search = `range=${range}${until && `&until=${until}`}`;
  const { status, body } = await ada.rest(`GET /api/projects/${id}/metrics?${search}`);
  expect(status).toBe(200);
  return body as Metrics;
}

describe('metrics', () => {
  test('are added up by minute, over servers and restarts, and read without gaps', async () => {
    const { db } = world.deps;
    const disks = ['a', 'b'].map((name) => ({ name, path: `/${name}`, size: 64, bytes: 3 * MB }));
    await db
      .insertInto('projectDisks')
      .values(disks.map((disk) => ({ ...disk, ownerId: ada.user.id, projectId: id })))
      .execute();
    const whole = figures('', { requests: 3, errors: 1, latencies: [0, 0, 3], disk: 7 * MB });
    await storeFigures(db, [whole, figures('web'), figures('worker', { cpuMs: 0 })], minute(5));
    await storeFigures(db, [figures('', { requests: 1, latencies: [0, 0, 0, 0, 0, 1] })], minute(5));
    const metrics = await read('1h');
    expect(metrics).toMatchObject({ range: '1h', step: 60 });
    expect(metrics.points).toHaveLength(60);
    const point = metrics.points.find(({ at }) => at === minute(5).toISOString());
    expect(point).toMatchObject({ requests: 4, errors: 1, cpu: 2, memory: 50 * MB, disk: 13 * MB });
    expect(point?.p50).toBeCloseTo(0.729, 2);
    expect(point?.p99).toBeCloseTo(1.51, 1);
    expect(metrics.points.filter(({ requests, memory }) => requests > 0 || memory !== null)).toHaveLength(1);
    const place = metrics.points.findIndex(({ requests }) => requests > 0);
    expect(metrics.processes.map(({ process, cpu, memory }) => [process, cpu[place], memory[place]])).toEqual(
      [
        ['web', 1, 50 * MB],
        ['worker', 0, 50 * MB],
      ],
    );
    expect((await ada.rpc.observability.metrics.query({ id, range: '24h' })).points).toHaveLength(144);
    const earlier = await read('1h', minute(4).toISOString());
    expect(earlier.points.at(-1)).toEqual(point);
    expect(earlier.points).toHaveLength(60);
    const before = await ada.rpc.observability.metrics.query({ id, until: minute(5).toISOString() });
    expect(before.points.filter(({ requests }) => requests > 0)).toEqual([]);
    const future = new Date(Date.now() + HOUR).toISOString();
    expect((await read('1h', future)).points.map(({ requests }) => requests)).toContain(4);
  });

  test('of hours that are over are summed and outlive their minutes, and the running hour is beside them', async () => {
    const { db } = world.deps;
    const hour = Math.floor(Date.now() / HOUR) * HOUR;
    const counted = (requests: number) => [figures('', { requests, latencies: [requests] })];
    const old = hour - 30 * 24 * HOUR;
    for (const [at, requests] of [
      [old + MINUTE, 5],
      [old + 2 * MINUTE, 7],
      [hour - 3 * HOUR, 10],
    ] as const) {
      await storeFigures(db, counted(requests), new Date(at));
    }
    await sumHours(db);
    await storeFigures(db, counted(2), minute(1));
    await sumHours(db);
    await sweepMetrics(db);
    const requestsOf = ({ points }: Metrics) => points.reduce((sum, point) => sum + point.requests, 0);
    expect(requestsOf(await read('90d'))).toBe(24);
    expect(requestsOf(await read('7d'))).toBe(12);
    expect(requestsOf(await read('7d', new Date(old + HOUR).toISOString()))).toBe(12);
    expect(requestsOf(await read('7d', new Date(old).toISOString()))).toBe(0);
    const widths = await db
      .selectFrom('projectMetrics')
      .select(['width', 'requests'])
      .where('projectId', '=', id)
      .where('width', '=', 'minute')
      .execute();
    expect(widths).toHaveLength(2);
  });

  test('are kept for 7 days by minute and for 90 by hour, and an hour never loses a part of its minutes', async () => {
    const { db } = world.deps;
    const day = 24 * HOUR;
    const week = Math.floor((Date.now() - 7 * day) / HOUR) * HOUR;
    const counted = [figures('', { requests: 1 })];
    for (const at of [week - MINUTE, week, week + 59 * MINUTE]) await storeFigures(db, counted, new Date(at));
    await sumHours(db);
    const old = await db
      .selectFrom('projectMetrics')
      .selectAll()
      .where('width', '=', 'hour')
      .executeTakeFirstOrThrow();
    const at = (time: number) => new Date(time).toISOString();
    await db
      .insertInto('projectMetrics')
      .values([-1, 1].map((hours) => ({ ...old, at: at(Date.now() - 90 * day + hours * HOUR) })))
      .execute();
    await sweepMetrics(db);
    await sumHours(db);
    const rows = await db
      .selectFrom('projectMetrics')
      .select(['width', 'at', 'requests'])
      .where('projectId', '=', id)
      .orderBy('width')
      .orderBy('at')
      .execute();
    expect(rows.slice(1)).toEqual([
      { width: 'hour', at: at(week - HOUR), requests: 1 },
      { width: 'hour', at: at(week), requests: 2 },
      { width: 'minute', at: at(week), requests: 1 },
      { width: 'minute', at: at(week + 59 * MINUTE), requests: 1 },
    ]);
    expect(Date.parse(rows[0]?.at ?? '')).toBeGreaterThan(Date.now() - 90 * day);
  });

  test('of the running minute are written down by a stop, also where the database was away', async () => {
    const { db } = world.deps;
    const counts = createAppFigures();
    counts.watch(id, 'web').sample({ memory: 5 * MB, cpuMs: 1 });
    const failed = Promise.withResolvers<void>();
    const log = Object.assign(Object.create(world.deps.log), { warn: failed.resolve });
    const minutes = createMinutes({ db, log, figures: counts });
    await sql`alter table project_metrics rename to metrics_away`.execute(db);
    const stopped = minutes.stop();
    await failed.promise;
    await sql`alter table metrics_away rename to project_metrics`.execute(db);
    await stopped;
    const rows = await db.selectFrom('projectMetrics').select(['process', 'memoryMax']).execute();
    expect(rows).toEqual(expect.arrayContaining([{ process: 'web', memoryMax: 5 * MB }]));
    expect(rows).toHaveLength(2);
  });

  test('of all projects are had in one call for the last hour, and only by their owner', async () => {
    await storeFigures(world.deps.db, [figures('', { requests: 9 })], minute(1));
    const [activity] = (await ada.rest('GET /api/projects/activity')).body as ProjectActivity[];
    expect(activity).toEqual({
      projectId: id,
      requests: [...Array(59).fill(0), 9],
      memory: [...Array(59).fill(null), 50 * MB],
    });
    expect(await bea.rpc.observability.activity.query()).toEqual([]);
    expect((await bea.rest(`GET /api/projects/${id}/metrics`)).status).toBe(404);
    expect((await world.anyone.rest(`GET /api/projects/${id}/metrics`)).status).toBe(401);
    expect(await ada.rest(`GET /api/projects/${id}/metrics?range=1y`)).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'range', message: 'Range must be 1h, 24h, 7d or 90d.' }] },
    });
    expect(await ada.rest(`GET /api/projects/${id}/metrics?until=yesterday`)).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'until', message: 'Enter an instant like 2026-01-31T12:00:00Z.' }] },
    });
  });

  test('are told to whoever watches', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const stored: Promise<void>[] = [];
    const stream = ada.rpc.observability.newMetrics.subscribe({ id }, { onData: resolve, onStarted: tell });
    // Told again and again: nobody knows when the stream listens.
    const timer = setInterval(tell, 200);
    await promise;
    clearInterval(timer);
    stream.unsubscribe();
    await Promise.all(stored);

    function tell(): void {
      stored.push(storeFigures(world.deps.db, [figures('')], minute(1)));
    }
  });
});

describe('events', () => {
  async function events(query = ''): Promise<ProjectEvent[]> {
    const { status, body } = await ada.rest(`GET /api/projects/${id}/events${query}`);
    expect(status).toBe(200);
    return body as ProjectEvent[];
  }

  /** What both doors say. */
  async function eventsOfBoth(): Promise<ProjectEvent[]> {
    const listed = await events();
    expect(await ada.rpc.observability.events.query({ id })).toEqual(listed);
    return listed;
  }

  test('tell of deployments, crashes with their last words, and stops', async () => {
    const run = await engine.runOf(deploymentId);
    await run.job.onProgress({ commit: 'a'.repeat(40), commitMessage: 'Say hello' });
    const appLogs = createAppLogs(world.deps);
    const log = appLogs.open({ projectId: id, deploymentId, secrets: async () => ['hunter2!'], live: true });
    await run.succeed();
    const web = { process: 'web', instance: 1 };
    log.write('stderr', '\u001b[31mTypeError\u001b[0m: hunter2!\n  at line 1', web);
    const live = createLiveDeployments({ ...world.deps, appLogs });
    const change = { ...web, deploymentId, projectId: id, command: 'npm start', restarts: 1, ...NOWHERE };
    live.processChanged({
      ...{ ...change, since: '', state: 'crashed', reason: 'exited with code 1' },
      exit: { code: 1, signal: null },
    });
    await vi.waitFor(async () => expect(await events()).toHaveLength(2), { timeout: 60_000 });
    const reason = 'was stopped: it used more than 1 GB of memory';
    live.processChanged({
      ...{ ...change, since: '', state: 'crashed', reason },
      exit: { code: null, signal: 'SIGKILL' },
    });
    await vi.waitFor(async () => expect(await events()).toHaveLength(3), { timeout: 60_000 });
    live.processChanged({ ...change, since: '', state: 'running', reason: '', exit: null });
    await vi.waitFor(async () => expect(await events()).toHaveLength(4), { timeout: 60_000 });
    await log.close();
    await ada.rpc.deployments.stopApp.mutate({ id });

    const [stopped, back, outOfMemory, crashed, deployed] = await eventsOfBoth();
    expect(deployed).toMatchObject({
      kind: 'deployed',
      deploymentId,
      message: 'Deployed aaaaaaa: Say hello.',
    });
    expect(crashed).toMatchObject({
      ...{ kind: 'crashed', ...web, exitCode: 1, signal: null, message: 'web exited with code 1.' },
      lastLines: 'TypeError: ***\n  at line 1',
    });
    expect(outOfMemory).toMatchObject({ kind: 'out-of-memory', exitCode: null, signal: 'SIGKILL' });
    expect(stopped).toMatchObject({ kind: 'stopped', message: 'Stopped the app.' });
    expect(back).toMatchObject({ kind: 'restarted', process: 'web', message: 'web is running again.' });
    expect((await events(`?limit=1&cursor=${stopped?.id}`)).map((event) => event.id)).toEqual([back?.id]);
  });

  test('tell of restarts, rollbacks and starts, and of what runs in other numbers or limits', async () => {
    const live = async (deployment: { id: string }) => {
      const run = await engine.runOf(deployment.id);
      await run.job.onProgress({ releaseKept: true });
      await run.succeed();
      await vi.waitFor(
        async () => expect((await ada.rpc.projects.get.query({ id })).liveDeploymentId).toBe(deployment.id),
        { timeout: 60_000 },
      );
    };
    const plain = { command: '', instances: null, memory: null, cpu: null, tasks: null };
    const web = { ...plain, name: 'web', instances: 3, memory: 512, cpu: 50 };
    const worker = { ...plain, name: 'worker', command: 'node worker.js', instances: 2 };
    await live({ id: deploymentId });
    await live(await ada.rpc.deployments.restartApp.mutate({ id }));
    await ada.rpc.projects.update.mutate({ id, settings: { processes: [web, worker] } });
    await live(await ada.rpc.deployments.restartApp.mutate({ id }));
    await live(await ada.rpc.deployments.rollback.mutate({ id: deploymentId }));
    await ada.rpc.deployments.stopApp.mutate({ id });
    const told = async () =>
      (await eventsOfBoth()).reverse().map(({ kind, process, message }) => [kind, process, message]);
    expect(await told()).toEqual([
      ['deployed', null, 'Deployed the app.'],
      ['restarted', null, 'Restarted the app.'],
      ['restarted', null, 'Restarted the app.'],
      ['scaled', 'web', 'Scaled web: instances 1 → 3, memory 1 GB → 512 MB, CPU no limit → 50%.'],
      ['scaled', 'worker', 'Scaled worker: instances 0 → 2.'],
      ['rolled-back', null, 'Rolled back to an earlier release.'],
      ['scaled', 'web', 'Scaled web: instances 3 → 1, memory 512 MB → 1 GB, CPU 50% → no limit.'],
      ['scaled', 'worker', 'Scaled worker: instances 2 → 0.'],
      ['stopped', null, 'Stopped the app.'],
    ]);
    // Events are kept for a while only.
    await world.deps.db.deleteFrom('projectEvents').execute();
    await ada.rpc.disks.add.mutate({ id, name: 'data' });
    await live(await ada.rpc.deployments.startApp.mutate({ id }));
    expect(await told()).toEqual([
      ['started', null, 'Started the app.'],
      // A project with a disk runs one instance of each.
      ['scaled', 'web', 'Scaled web: memory 1 GB → 512 MB, CPU no limit → 50%.'],
      ['scaled', 'worker', 'Scaled worker: instances 0 → 1.'],
    ]);
  });

  test('tell of a failed deployment, and not of the process that failed it', async () => {
    const run = await engine.runOf(deploymentId);
    const live = createLiveDeployments({ ...world.deps, appLogs: createAppLogs(world.deps) });
    live.processChanged({
      ...{ process: 'web', instance: 1, deploymentId, projectId: id, command: '', restarts: 0, ...NOWHERE },
      ...{ since: '', state: 'crashed', reason: 'exited with code 1', exit: { code: 1, signal: null } },
    });
    run.end({ status: 'failed', step: 'start', error: 'Start failed: npm start exited with code 1.' });
    await vi.waitFor(
      async () =>
        expect(await events()).toMatchObject([
          { kind: 'deploy-failed', message: 'Start failed: npm start exited with code 1.' },
        ]),
      { timeout: 60_000 },
    );
  });

  test('come as they happen, also after a break, to their owner only', async () => {
    const { db } = world.deps;
    const event = { projectId: id, kind: 'scaled' as const };
    await recordEvent(db, { ...event, message: 'One.' });
    await recordEvent(db, { ...event, message: 'Two.' });
    const [, one] = await events();
    const seen: string[] = [];
    const stream = ada.rpc.observability.newEvents.subscribe(
      { id, ...(one && { lastEventId: one.id }) },
      { onData: ({ data }) => void seen.push(data.message) },
    );
    await vi.waitFor(() => expect(seen).toEqual(['Two.']), { timeout: 60_000 });
    await recordEvent(db, { ...event, message: 'Three.' });
    await vi.waitFor(() => expect(seen).toEqual(['Two.', 'Three.']), { timeout: 60_000 });
    stream.unsubscribe();
    expect((await bea.rest(`GET /api/projects/${id}/events`)).status).toBe(404);
    expect((await world.anyone.rest(`GET /api/projects/${id}/events`)).status).toBe(401);
    await recordEvent(db, { ...event, projectId: crypto.randomUUID(), message: 'Of nobody.' });
  });

  test('that are old go, and a project has a thousand at most', async () => {
    const { db } = world.deps;
    const rows = Array.from({ length: 1005 }, (_, n) => ({
      ...{ ownerId: ada.user.id, projectId: id, kind: 'scaled' as const, message: String(n) },
      ...{ deploymentId: null, process: null, instance: null, exitCode: null, signal: null },
    }));
    for (const row of rows.slice(0, 1)) {
      await db
        .insertInto('projectEvents')
        .values({ ...row, createdAt: '2026-01-01T00:00:00Z' })
        .execute();
    }
    await db.insertInto('projectEvents').values(rows.slice(1)).execute();
    await sweepEvents(db);
    const kept = await events();
    expect(kept).toHaveLength(1000);
    expect(kept.map(({ message }) => message)).not.toContain('0');
  });
});
