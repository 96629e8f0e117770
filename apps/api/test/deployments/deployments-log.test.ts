import type { LogChunk, Project } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { followLog } from '../../src/domains/deployments/log.ts';
import { createLogWriter } from '../../src/domains/deployments/log-store.ts';
import { type Follower, follow } from '../../src/platform/follow.ts';
import { contextFor, createWorld, type Person, type World } from '../world.ts';
import { ScriptedEngine, type ScriptedRun } from './fixtures/scripted-engine.ts';

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let run: ScriptedRun;
let id: string;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine }, running: true });
  ada = await world.as('Ada');
});

afterAll(() => world.close());

beforeEach(async () => {
  await world.deps.db.deleteFrom('projects').execute();
  const answer = await ada.rest('POST /api/projects', {
    body: { name: 'App', repositoryUrl: 'https://git.example.com/app.git' },
  });
  id = (answer.body as Project).latestDeployment?.id ?? '';
  run = await engine.runOf(id);
});

afterEach(() => {
  for (const { end } of engine.runs) end({ status: 'failed', step: 'clone', error: 'The test is over.' });
});

/** A writer of its own, with what it stores. */
function writer({ secrets = [], limit }: { secrets?: string[]; limit?: number } = {}) {
  const { db, log } = world.deps;
  return createLogWriter({
    db,
    log,
    deploymentId: id,
    secrets: async () => secrets,
    ...(limit !== undefined && { limit }),
  });
}

async function stored(): Promise<{ seq: number; stream: string; text: string }[]> {
  return world.deps.db
    .selectFrom('deploymentLog')
    .select(['seq', 'stream', 'text'])
    .where('deploymentId', '=', id)
    .orderBy('seq')
    .execute();
}

async function storedText(): Promise<string> {
  return (await stored()).map(({ text }) => text).join('');
}

describe('a log', () => {
  test('keeps the order of its pieces, numbered without gaps, also from several writers', async () => {
    const [first, second] = [writer(), writer()];
    first.system('Cloning.');
    first.write('stdout', 'one\n');
    first.write('stdout', 'two\n');
    first.write('stderr', 'oh\n');
    await first.close();
    second.write('stdout', 'three\n');
    await second.close();
    expect(await stored()).toEqual([
      { seq: 1, stream: 'system', text: 'Cloning.\n' },
      { seq: 2, stream: 'stdout', text: 'one\ntwo\n' },
      { seq: 3, stream: 'stderr', text: 'oh\n' },
      { seq: 4, stream: 'stdout', text: 'three\n' },
    ]);
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const one = writer();
        one.write('stdout', `${n}\n`);
        return one.close();
      }),
    );
    expect((await stored()).map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  });

  test('keeps ANSI sequences, and nothing that cannot be stored', async () => {
    const one = writer();
    one.write('stdout', '\u001b[31mred\u001b[0m a\0b\ud800c ');
    one.write('stdout', '😀'.slice(0, 1));
    one.write('stdout', `${'😀'.slice(1)}\n`);
    await one.close();
    expect(await storedText()).toBe('\u001b[31mred\u001b[0m abc 😀\n');
  });

  test('ends at its limit with one marker, whatever comes after', async () => {
    const one = writer({ limit: 100 });
    one.write('stdout', 'x'.repeat(90));
    await expect.poll(storedText).toHaveLength(90);
    one.write('stdout', 'é'.repeat(20));
    one.write('stdout', 'more');
    await one.close();
    const two = writer({ limit: 100 });
    two.write('stderr', 'and more');
    await two.close();
    expect(await storedText()).toBe(`${'x'.repeat(90)}${'é'.repeat(5)}[log truncated at 10 MB]\n`);
    expect((await stored()).at(-1)).toMatchObject({ stream: 'system' });
  });

  test('that is exactly full is whole, and says so only when more comes', async () => {
    const one = writer({ limit: 4 });
    one.write('stdout', 'full');
    await one.close();
    expect(await storedText()).toBe('full');
    const two = writer({ limit: 4 });
    two.write('stdout', '!');
    await two.close();
    expect(await storedText()).toBe('full[log truncated at 10 MB]\n');
  });

  test('of a megabyte is stored and read back whole, in pieces', async () => {
    const text = Array.from({ length: 20_000 }, (_, n) => `line ${n} ${'😀'.repeat(10)}\n`).join('');
    const one = writer();
    one.write('stdout', text);
    await one.close();
    const pieces = await stored();
    expect(Math.max(...pieces.map((piece) => piece.text.length))).toBeLessThanOrEqual(16 * 1024);
    expect((await ada.rest(`GET /api/deployments/${id}/log`)).text).toBe(text);
  });

  test('of a deployment that was deleted is dropped without harm', async () => {
    const one = writer();
    await world.deps.db.deleteFrom('projects').execute();
    one.write('stdout', 'nobody reads this');
    await one.close();
  });
});

describe('a secret', () => {
  test('is masked in what is stored, split over writes, on each stream by itself', async () => {
    const one = writer({ secrets: ['sw0rdf1sh'] });
    one.write('stdout', 'out sw0r');
    one.write('stderr', 'err sw0rd');
    one.write('stdout', 'df1sh\n');
    one.write('stderr', 'f1sh\n');
    one.system('using sw0rdf1sh');
    await one.close();
    const pieces = await stored();
    const textOf = (stream: string) =>
      pieces.map((piece) => (piece.stream === stream ? piece.text : '')).join('');
    expect(textOf('stdout')).toBe('out ***\n');
    expect(textOf('stderr')).toBe('err ***\n');
    expect(textOf('system')).toBe('using ***\n');
    expect(await storedText()).not.toContain('sw0rdf1sh');
  });
});

describe('reading a log', () => {
  function subscribe(lastEventId?: string) {
    const chunks: LogChunk[] = [];
    const ended = Promise.withResolvers<void>();
    const subscription = ada.rpc.deployments.log.subscribe(
      { id, ...(lastEventId !== undefined && { lastEventId }) },
      { onData: ({ data }) => chunks.push(data), onComplete: ended.resolve, onError: ended.reject },
    );
    return {
      chunks,
      text: () => chunks.map(({ text }) => text).join(''),
      ended: ended.promise,
      subscription,
    };
  }

  test('gives what there is and then what comes, until the deployment has ended', async () => {
    run.log.write('stdout', 'before\n');
    const reading = subscribe();
    await expect.poll(reading.text).toBe('before\n');
    run.log.write('stdout', 'after\n');
    await expect.poll(reading.text).toBe('before\nafter\n');
    run.log.write('stdout', 'last words');
    run.end({ status: 'failed', step: 'build', error: 'No.' });
    await reading.ended;
    expect(reading.text()).toBe('before\nafter\nlast words');
    expect(reading.chunks.map(({ seq }) => seq)).toEqual(reading.chunks.map((_, i) => i + 1));
  });

  test('goes on where a reader left off', async () => {
    for (const n of [1, 2, 3]) {
      run.log.write('stdout', `${n}\n`);
      await expect.poll(async () => (await stored()).length).toBe(n);
    }
    run.end({ status: 'failed', step: 'build', error: 'No.' });
    const reading = subscribe('2');
    await reading.ended;
    expect(reading.text()).toBe('3\n');
  });

  test('of an app that runs goes on with its output', async () => {
    await run.job.onSwitch();
    run.end({ status: 'running' });
    const reading = subscribe();
    run.log.write('stdout', 'GET /\n');
    await expect.poll(reading.text).toBe('GET /\n');
    await ada.rpc.deployments.stop.mutate({ id });
    run.log.write('stdout', 'bye\n');
    await run.log.close();
    await reading.ended;
    expect(reading.text()).toBe('GET /\nbye\n');
  });

  test('ends when the project is deleted under it', async () => {
    run.log.write('stdout', 'x\n');
    const reading = subscribe();
    await expect.poll(reading.text).toBe('x\n');
    const [project] = await ada.rpc.projects.list.query();
    await ada.rpc.projects.remove.mutate({ id: project?.id ?? '' });
    await reading.ended;
  });

  test('leaves no listener behind when the reader goes away', async () => {
    let listeners = 0;
    const notifications = {
      ...world.deps.notifications,
      subscribe: (...args: Parameters<World['deps']['notifications']['subscribe']>) => {
        const leave = world.deps.notifications.subscribe(...args);
        listeners += 1;
        return () => {
          listeners -= 1;
          leave();
        };
      },
    };
    const gone = new AbortController();
    const reader = followLog({ ...contextFor(world, ada.user), signal: gone.signal }, notifications, {
      id,
      lastEventId: undefined,
    });
    const next = reader.next();
    await expect.poll(() => listeners).toBe(2);
    gone.abort();
    expect(await next).toMatchObject({ done: true });
    expect(listeners).toBe(0);
  });

  test('as a file has a name, a type, and no HTML in it', async () => {
    run.log.write('stdout', '<b>\u001b[32mok\u001b[0m\n');
    run.end({ status: 'failed', step: 'build', error: 'No.' });
    await expect.poll(async () => (await stored()).length).toBe(1);
    const shown = await ada.rest(`GET /api/deployments/${id}/log`);
    expect(shown.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    expect(shown.headers.get('content-disposition')).toBeNull();
    expect(shown.text).toBe('<b>\u001b[32mok\u001b[0m\n');
    const file = await ada.rest(`GET /api/deployments/${id}/log?download=1`);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="deployment-${id}.log"`);
    expect(file.text).toBe(shown.text);
    expect(await ada.rest('GET /api/deployments/nonsense/log')).toMatchObject({ status: 404 });
  });
});

describe('the tail of a log', () => {
  const tail = (query = '') => ada.rest(`GET /api/deployments/${id}/log-tail${query}`);

  async function log(text: string, secrets: string[] = []) {
    const one = writer({ secrets });
    one.write('stdout', text);
    await one.close();
  }

  test('is its last hundred lines, or as many as are asked for, by both doors', async () => {
    await log(Array.from({ length: 600 }, (_, n) => `line ${n + 1}\n`).join(''));
    const linesOf = async (query: string) => ((await tail(query)).body as { text: string }).text.split('\n');
    expect(await linesOf('')).toHaveLength(100);
    expect(await linesOf('?lines=2')).toEqual(['line 599', 'line 600']);
    expect(await linesOf('?lines=500')).toHaveLength(500);
    expect(await ada.rpc.deployments.logTail.query({ id, lines: 1 })).toEqual({ text: 'line 600' });
  });

  test('crosses pieces, and is all of a log that is shorter', async () => {
    for (let n = 1; n <= 50; n += 1) await log(`piece ${n}\n`);
    const { text } = await ada.rpc.deployments.logTail.query({ id, lines: 45 });
    expect(text.split('\n')).toEqual(Array.from({ length: 45 }, (_, n) => `piece ${n + 6}`));
    expect((await ada.rpc.deployments.logTail.query({ id, lines: 500 })).text).toMatch(/^piece 1\n/);
  });

  test('of nothing is empty', async () => {
    expect((await tail()).body).toEqual({ text: '' });
  });

  test('holds no secret and no terminal sequence, and of an overwritten line what came last', async () => {
    await log('\u001b[31mred\u001b[0m sw0rdf1sh\r\n10 %\r100 %\nlast', ['sw0rdf1sh']);
    expect((await tail()).body).toEqual({ text: 'red ***\n100 %\nlast' });
  });

  test('of a log without newlines is bounded', async () => {
    await log('x'.repeat(1_000_000));
    expect(((await tail()).body as { text: string }).text).toHaveLength(256 * 1024);
  });

  test.each(['0', '501', '1.5', 'ten'])('has no %s lines', async (lines) => {
    expect(await tail(`?lines=${lines}`)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', message: 'Lines must be a whole number from 1 to 500.' },
    });
  });

  test('is the owner’s alone', async () => {
    const eve = await world.as('Eve');
    const route = `GET /api/deployments/${id}/log-tail`;
    expect(await eve.rest(route)).toMatchObject({ status: 404 });
    expect(await world.anyone.rest(route)).toMatchObject({ status: 401 });
    expect(await ada.rest('GET /api/deployments/nonsense/log-tail')).toMatchObject({ status: 404 });
  });
});

describe('following', () => {
  function fake() {
    const listeners: { hear: (payload: string) => void; resync: (() => void) | undefined }[] = [];
    const notifications = {
      subscribe(_channel: string, hear: (payload: string) => void, resync?: () => void) {
        listeners.push({ hear, resync });
        return () => {};
      },
      close: async () => {},
    };
    const start = (signal?: AbortSignal): Follower =>
      follow(notifications, { channels: ['x'], concerns: (payload) => payload === 'mine', signal });
    return { start, listeners };
  }

  test('wakes for what concerns it, also what came between turns, and for a resync', async () => {
    const { start, listeners } = fake();
    const follower = start();
    listeners[0]?.hear('other');
    expect(await follower.turn(5)).toBe('quiet');
    listeners[0]?.hear('mine');
    expect(await follower.turn()).toBe('news');
    const turn = follower.turn();
    listeners[0]?.resync?.();
    expect(await turn).toBe('news');
  });

  test('rests as long as it is told, keeps what it hears meanwhile, and ends with the reader', async () => {
    const { start, listeners } = fake();
    const gone = new AbortController();
    const follower = start(gone.signal);
    listeners[0]?.hear('mine');
    expect(await follower.turn()).toBe('news');
    listeners[0]?.hear('mine');
    const began = performance.now();
    await follower.rest(50);
    expect(performance.now() - began).toBeGreaterThan(45);
    expect(await follower.turn()).toBe('news');
    expect(await follower.turn(5)).toBe('quiet');
    const rest = follower.rest(60_000);
    gone.abort();
    await rest;
    expect(await follower.turn()).toBe('over');
  });

  test('is over when the reader is gone, before or during a turn', async () => {
    const gone = new AbortController();
    const follower = fake().start(gone.signal);
    const turn = follower.turn();
    gone.abort();
    expect(await turn).toBe('over');
    expect(await follower.turn()).toBe('over');
  });
});
