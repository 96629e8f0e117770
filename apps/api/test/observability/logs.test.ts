import { randomUUID } from 'node:crypto';
import type { LogLine, LogLines, LogNews } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAppLogs } from '../../src/domains/deployments/app-log.ts';
import { sweepLogs } from '../../src/domains/observability/log-blocks.ts';
import { createProjectLog } from '../../src/domains/observability/log-store.ts';
import { ScriptedEngine, type ScriptedRun } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const SECRET = 'opensesame-1234';

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let bea: Person;
let id: string;
let deploymentId: string;
let run: ScriptedRun;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine }, running: true });
  [ada, bea] = [await world.as('Ada'), await world.as('Bea')];
});

afterAll(() => world.close());

beforeEach(async () => {
  await world.deps.db.deleteFrom('projects').execute();
  const repositoryUrl = 'https://git.example.com/app.git';
  const project = await ada.rpc.projects.create.mutate({ name: 'App', repositoryUrl });
  id = project.id;
  deploymentId = project.latestDeployment?.id ?? '';
  run = await engine.runOf(deploymentId);
});

afterEach(() => {
  for (const { end } of engine.runs) end({ status: 'failed', step: 'clone', error: 'The test is over.' });
});

/** Lines of `web`, a second apart, from the year 2026 on. */
async function write(count: number, text = (n: number) => `line ${n}`): Promise<void> {
  const log = createProjectLog(world.deps, id);
  for (let n = 1; n <= count; n += 1) {
    const origin = { process: n % 2 ? 'web' : 'worker', instance: 1 + (n % 3), deploymentId };
    const stream = n % 5 ? 'stdout' : 'stderr';
    log.add({ ...origin, stream, at: Date.UTC(2026, 0, 1) + n * 1000, text: text(n) });
  }
  await log.close();
}

async function read(query = ''): Promise<LogLines> {
  const answer = await ada.rest(`GET /api/projects/${id}/logs${query}`);
  expect(answer.status).toBe(200);
  return answer.body as LogLines;
}

function textsOf({ lines }: { lines: LogLine[] }): string[] {
  return lines.map(({ text }) => text);
}

describe('what an app writes', () => {
  test('is in the log of the project by lines, with its process, secrets masked, colors kept', async () => {
    const web = { process: 'web', instance: 2 };
    run.end({ status: 'failed', step: 'clone', error: 'Not with these variables.' });
    await ada.rpc.projects.setVariables.mutate({ id, variables: [{ name: 'TOKEN', value: SECRET }] });
    ({ id: deploymentId } = await ada.rpc.deployments.create.mutate({ id }));
    run = await engine.runOf(deploymentId);
    run.log.write('stdout', 'npm install\n');
    run.log.write('stdout', 'Listening on \u001b[32mport 3000\u001b[0m\nkey open', web);
    run.log.write('stderr', 'oh\r\n', web);
    run.log.write('stdout', 'sesame-1234 is secret\n', web);
    run.log.system('Cloning.');
    run.log.write('stdout', 'no end', { process: 'worker', instance: 1 });
    await run.succeed();

    const { lines, ...page } = await read();
    expect(lines.map(({ at: _, ...line }) => line)).toEqual([
      line(1, 'stdout', web, 'Listening on \u001b[32mport 3000\u001b[0m'),
      line(2, 'stderr', web, 'oh'),
      line(3, 'stdout', web, 'key *** is secret'),
      line(4, 'stdout', { process: 'worker', instance: 1 }, 'no end'),
    ]);
    expect(page).toEqual({ older: null, newer: 4, stoppedAt: null });
    const built = (await ada.rest(`GET /api/deployments/${deploymentId}/log`)).text;
    expect(built).toContain('npm install\nListening on');
    expect(await ada.rpc.observability.logSources.query({ id })).toEqual([
      { process: 'web', instances: [2] },
      { process: 'worker', instances: [1] },
    ]);
  });

  function line(
    number: number,
    stream: LogLine['stream'],
    origin: { process: string; instance: number },
    text: string,
  ) {
    return { line: number, stream, ...origin, deploymentId, text };
  }

  test('is a line after a while also where it has no end, and what the platform says of a live app is beside it', async () => {
    const log = createAppLogs(world.deps).open({
      projectId: id,
      deploymentId,
      secrets: async () => [],
      live: true,
    });
    log.write('stdout', 'Password: ', { process: 'web', instance: 1 });
    log.system('The app is responding again.');
    await vi.waitFor(
      async () =>
        expect((await read()).lines).toEqual([
          expect.objectContaining({ stream: 'system', process: null, text: 'The app is responding again.' }),
          expect.objectContaining({ stream: 'stdout', text: 'Password: ' }),
        ]),
      { timeout: 60_000 },
    );
    await log.close();
  });

  test('is dropped where it comes faster than it can be stored, and counted right where it is missing', async () => {
    const log = createProjectLog(world.deps, id);
    const text = 'x'.repeat(10_000);
    const origin = { process: 'web', instance: 1, deploymentId, stream: 'stdout' as const };
    const add = (n: number) => log.add({ ...origin, at: n, text: `${n} ${text}` });
    for (let n = 1; n <= 1000; n += 1) add(n);
    // By then there is room again, and still much that waits.
    await vi.waitFor(async () => expect((await read('?limit=1')).newer).toBeGreaterThan(500), {
      ...{ timeout: 60_000, interval: 5 },
    });
    add(1001);
    log.lost({ lines: 3, length: 30 });
    add(1005);
    await log.close();
    const file = (await ada.rest(`GET /api/projects/${id}/logs/download`)).text;
    let next = 1;
    for (const line of file.trimEnd().split('\n')) {
      const [, missing] = /system \[([\d,]+) lines? \([\d.]+ [KM]?B\) dropped: /.exec(line) ?? [];
      const [, number] = /stdout (\d+)/.exec(line) ?? [];
      if (missing) next += Number(missing.replaceAll(',', ''));
      else expect(Number(number)).toBe(next++);
    }
    expect(next).toBe(1006);
  });
});

describe('reading a log', () => {
  test('goes back and forth by pages, through every line once', async () => {
    await write(450);
    const newest = await read('?limit=200');
    expect(textsOf(newest)).toEqual(Array.from({ length: 200 }, (_, n) => `line ${n + 251}`));
    expect(newest).toMatchObject({ older: 251, newer: 450 });
    const middle = await read('?limit=200&before=251');
    expect(textsOf(middle)[0]).toBe('line 51');
    const oldest = await read('?limit=200&before=51');
    expect(textsOf(oldest)).toHaveLength(50);
    expect(oldest.older).toBeNull();
    const after = await read('?limit=100&after=300');
    expect(textsOf(after)).toEqual(Array.from({ length: 100 }, (_, n) => `line ${n + 301}`));
    expect(after.newer).toBe(400);
    expect(await read('?after=450')).toMatchObject({ lines: [], newer: 450 });
  });

  test('finds by text whatever its case or colors, by process, instance, stream and time', async () => {
    await write(100, (n) => (n === 42 ? 'An \u001b[31mErr\u001b[0mor happened' : `line ${n}`));
    const search = await read('?search=eRRoR');
    expect(search.lines.map(({ line }) => line)).toEqual([42]);
    expect(search).toMatchObject({ older: null, stoppedAt: null });
    expect((await read('?search=line%2010')).lines.map(({ line }) => line)).toEqual([10, 100]);
    expect((await read('?search=100%25')).lines).toEqual([]);
    expect((await read('?process=worker&instance=1')).lines.every(({ line }) => line % 6 === 0)).toBe(true);
    expect((await read('?stream=stderr')).lines).toHaveLength(20);
    expect((await read('?process=nobody')).lines).toEqual([]);
    const from = '2026-01-01T00:00:10.000Z';
    const to = '2026-01-01T00:00:12.000Z';
    expect((await read(`?since=${from}&until=${to}`)).lines.map(({ line }) => line)).toEqual([10, 11, 12]);
    const paged = await read('?search=line&limit=10');
    expect((await read(`?search=line&limit=10&before=${paged.older}`)).lines.at(-1)?.line).toBe(90);
  });

  test('says where a search stopped that takes too long, and goes on from there', async () => {
    await write(5000, (n) => `${n} ${'x'.repeat(1000)}`);
    const clock = vi.spyOn(Date, 'now');
    let now = Date.UTC(2026, 1, 1);
    clock.mockImplementation(() => (now += 500));
    const stopped = await ada.rpc.observability.logs.query({ id, search: 'no such text' });
    clock.mockRestore();
    expect(stopped).toMatchObject({ lines: [], stoppedAt: expect.stringMatching(/^2026-01-01T/) });
    expect(stopped.older).toBeGreaterThan(1);
    let page: LogLines = stopped;
    // However slow this machine is, each page begins where the one before stopped.
    while (page.older !== null) {
      page = await read(`?search=${encodeURIComponent('1 xxx')}&before=${page.older}&limit=1000`);
    }
    expect(page.lines[0]?.line).toBe(1);
  });

  test('is a file to save, with the same filters', async () => {
    await write(6);
    const file = await ada.rest(`GET /api/projects/${id}/logs/download?process=worker`);
    expect(file.headers.get('content-disposition')).toContain(`project-${id}.log`);
    expect(file.text).toBe(
      [2, 4, 6].map((n) => `2026-01-01T00:00:0${n}.000Z worker.${1 + (n % 3)} stdout line ${n}\n`).join(''),
    );
  });

  test('is refused to others, and what no page can have is said', async () => {
    for (const path of ['logs', 'logs/sources', 'logs/download']) {
      expect((await world.anyone.rest(`GET /api/projects/${id}/${path}`)).status).toBe(401);
      expect((await bea.rest(`GET /api/projects/${id}/${path}`)).status).toBe(404);
    }
    await expect(bea.rpc.observability.logs.query({ id })).rejects.toThrow();
    for (const [query, sentence] of [
      ['limit=0', 'Limit must be a whole number from 1 to 1000.'],
      ['limit=1001', 'Limit must be a whole number from 1 to 1000.'],
      ['since=yesterday', 'Must be an instant like 2026-11-22T17:00:00Z.'],
      ['before=-1', 'Must be the number of a line.'],
      ['instance=0', 'Instance must be at least 1.'],
      [`search=${'x'.repeat(201)}`, 'Search can have at most 200 characters.'],
    ]) {
      const { status, body } = await ada.rest(`GET /api/projects/${id}/logs?${query}`);
      expect([query, status, body]).toEqual([query, 400, expect.objectContaining({ code: 'VALIDATION' })]);
      expect(JSON.stringify(body)).toContain(sentence);
    }
  });
});

describe('what is kept', () => {
  test('is the newest part, as large as the project says', async () => {
    await ada.rpc.projects.update.mutate({ id, settings: { logSize: 1 } });
    await write(3000, (n) => `${n} ${'x'.repeat(990)}`);
    const { lines } = await read('?limit=1');
    expect(lines[0]?.line).toBe(3000);
    const oldest = await read('?after=0&limit=1');
    expect(oldest.lines[0]?.line).toBeGreaterThan(1900);
    expect(oldest.lines[0]?.line).toBeLessThan(2300);
    const { bytes } = await world.deps.db
      .selectFrom('projectLogs')
      .select('bytes')
      .where('projectId', '=', id)
      .executeTakeFirstOrThrow();
    expect(bytes).toBeLessThanOrEqual(1024 ** 2);
  });

  test('is as young as the project says', async () => {
    await ada.rpc.projects.update.mutate({ id, settings: { logAge: 1 } });
    await write(10);
    const log = createProjectLog(world.deps, id);
    const line = { process: 'web', instance: 1, deploymentId, stream: 'stdout' as const };
    log.add({ ...line, at: Date.now(), text: 'young' });
    await log.close();
    await sweepLogs(world.deps.db);
    expect(textsOf(await read())).toEqual(['young']);
  });

  test('ends, also for what still waits, when the project is gone', async () => {
    const log = createProjectLog(world.deps, randomUUID());
    const line = { process: 'web', instance: 1, deploymentId, stream: 'stdout' as const };
    for (let n = 1; n <= 3; n += 1) log.add({ ...line, at: n, text: 'x'.repeat(200_000) });
    await expect(log.close()).resolves.toBeUndefined();
  });

  test('is in few blocks, though it came in many words, and in order', async () => {
    const log = createProjectLog(world.deps, id);
    const line = { process: 'web', instance: 1, deploymentId, stream: 'stdout' as const };
    for (let n = 1; n <= 130; n += 1) {
      log.add({ ...line, at: n, text: `word ${n}` });
      await log.stored();
    }
    await log.close();
    const blocks = await world.deps.db
      .selectFrom('projectLogBlocks')
      .select('firstLine')
      .where('projectId', '=', id)
      .execute();
    expect(blocks.length).toBeLessThan(10);
    expect(textsOf(await read())).toEqual(Array.from({ length: 130 }, (_, n) => `word ${n + 1}`));
  });
});

test('following sends what comes, as filtered, and goes on after a line', async () => {
  const news: LogNews[] = [];
  await write(3);
  const stream = ada.rpc.observability.newLogs.subscribe(
    { id, after: 2, process: 'web' },
    { onData: ({ data }) => void news.push(data) },
  );
  const lines = () => news.flatMap((one) => one.lines.map(({ line }) => line));
  await vi.waitFor(() => expect(lines()).toEqual([3]), { timeout: 60_000 });
  await write(3);
  await vi.waitFor(() => expect(lines()).toEqual([3, 4, 6]), { timeout: 60_000 });
  stream.unsubscribe();
});
