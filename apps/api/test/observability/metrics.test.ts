import type { Metrics, ProjectActivity, ProjectEvent } from '@nephos/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAppLogs } from '../../src/domains/deployments/app-log.ts';
import { createLiveDeployments } from '../../src/domains/deployments/live.ts';
import type { Figures } from '../../src/domains/observability/app-figures.ts';
import { recordEvent, sweepEvents } from '../../src/domains/observability/events.ts';
import { storeFigures, sumHours, sweepMetrics } from '../../src/domains/observability/metrics-store.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MB = 1024 ** 2;

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

async function read(range: string): Promise<Metrics> {
  const { status, body } = await ada.rest(`GET /api/projects/${id}/metrics?range=${range}`);
  expect(status).toBe(200);
  return body as Metrics;
}

describe('metrics', () => {
  test('are added up by minute, over servers and restarts, and read without gaps', async () => {
    const { db } = world.deps;
    const whole = figures('', { requests: 3, errors: 1, latencies: [0, 0, 3], disk: 7 * MB });
    await storeFigures(db, [whole, figures('web'), figures('worker', { cpuMs: 0 })], minute(5));
    await storeFigures(db, [figures('', { requests: 1, latencies: [0, 0, 0, 0, 0, 1] })], minute(5));
    const metrics = await read('1h');
    expect(metrics).toMatchObject({ range: '1h', step: 60 });
    expect(metrics.points).toHaveLength(60);
    const point = metrics.points.find(({ at }) => at === minute(5).toISOString());
    expect(point).toMatchObject({ requests: 4, errors: 1, cpu: 2, memory: 50 * MB, disk: 7 * MB });
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
    const widths = await db
      .selectFrom('projectMetrics')
      .select(['width', 'requests'])
      .where('projectId', '=', id)
      .where('width', '=', 'minute')
      .execute();
    expect(widths).toHaveLength(2);
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
  });

  test('are told to whoever watches', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const stream = ada.rpc.observability.newMetrics.subscribe({ id }, { onData: resolve, onStarted: tell });
    // Told again and again: nobody knows when the stream listens.
    const timer = setInterval(tell, 200);
    await promise;
    clearInterval(timer);
    stream.unsubscribe();

    function tell(): void {
      void storeFigures(world.deps.db, [figures('')], minute(1));
    }
  });
});

describe('events', () => {
  async function events(query = ''): Promise<ProjectEvent[]> {
    const { status, body } = await ada.rest(`GET /api/projects/${id}/events${query}`);
    expect(status).toBe(200);
    return body as ProjectEvent[];
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
    const change = { ...web, deploymentId, projectId: id, command: 'npm start', port: null, restarts: 1 };
    live.processChanged({
      ...{ ...change, since: '', state: 'crashed', reason: 'exited with code 1' },
      exit: { code: 1, signal: null },
    });
    await vi.waitFor(async () => expect(await events()).toHaveLength(2), { timeout: 30_000 });
    const reason = 'was stopped: it used more than 1 GB of memory';
    live.processChanged({
      ...{ ...change, since: '', state: 'crashed', reason },
      exit: { code: null, signal: 'SIGKILL' },
    });
    await vi.waitFor(async () => expect(await events()).toHaveLength(3), { timeout: 30_000 });
    live.processChanged({ ...change, since: '', state: 'running', reason: '', exit: null });
    await vi.waitFor(async () => expect(await events()).toHaveLength(4), { timeout: 30_000 });
    await log.close();
    await ada.rpc.deployments.stopApp.mutate({ id });

    const [stopped, back, outOfMemory, crashed, deployed] = await events();
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

  test('tell of a failed deployment, and not of the process that failed it', async () => {
    const run = await engine.runOf(deploymentId);
    const live = createLiveDeployments({ ...world.deps, appLogs: createAppLogs(world.deps) });
    live.processChanged({
      ...{ process: 'web', instance: 1, deploymentId, projectId: id, command: '', port: null, restarts: 0 },
      ...{ since: '', state: 'crashed', reason: 'exited with code 1', exit: { code: 1, signal: null } },
    });
    run.end({ status: 'failed', step: 'start', error: 'Start failed: npm start exited with code 1.' });
    await vi.waitFor(
      async () =>
        expect(await events()).toMatchObject([
          { kind: 'deploy-failed', message: 'Start failed: npm start exited with code 1.' },
        ]),
      { timeout: 30_000 },
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
    await vi.waitFor(() => expect(seen).toEqual(['Two.']), { timeout: 30_000 });
    await recordEvent(db, { ...event, message: 'Three.' });
    await vi.waitFor(() => expect(seen).toEqual(['Two.', 'Three.']), { timeout: 30_000 });
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
