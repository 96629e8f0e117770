import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { type Deployment, type Project, terminalPath } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { carryTerminal } from '../../src/domains/app-runs/terminal-session.ts';
import type { Shell } from '../../src/domains/deployments/engine/app-commands.ts';
import { createWorld, type Person, type World } from '../world.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';

let world: World;
/** The admin. */
let root: Person;
let ada: Person;
let bob: Person;
let project: Project;
let origin: string;

beforeAll(async () => {
  world = await createWorld({ running: true, overrides: { terminalTimes: { check: 100 } } });
  origin = world.deps.settings.publicUrl.origin;
  root = await world.as('Root');
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  project = await ada.rpc.projects.create.mutate({ name: 'Shop', template: 'node-api' });
  await new Promise<void>((resolve, reject) => {
    const onData = ({ data: { status, error } }: { data: Deployment }) => {
      if (status === 'running') resolve();
      if (status === 'failed') reject(new Error(error ?? ''));
    };
    ada.rpc.deployments.changes.subscribe({ id: project.id }, { onData });
  });
});

afterAll(() => world.close());

interface Options {
  cookie?: string;
  headers?: Record<string, string>;
  id?: string;
}

function connect({ cookie = ada.cookie, headers = { origin }, id = project.id }: Options = {}): WebSocket {
  return new WebSocket(new URL(terminalPath(id), world.url), {
    headers: { ...(cookie && { cookie }), ...headers },
  });
}

/** A terminal with all that it shows; `end` resolves with what it said at its end. */
function open(options: Options = {}) {
  const socket = connect(options);
  let text = '';
  const { promise: end, resolve } = Promise.withResolvers<string>();
  socket.on('message', (data, isBinary) => {
    if (!isBinary) return resolve(JSON.parse(String(data)).end);
    text += String(data);
    socket.send(JSON.stringify({ shown: (data as Buffer).length }));
  });
  const send = (message: object) => socket.send(JSON.stringify(message));
  return { socket, send, end, text: () => text, opened: once(socket, 'open') };
}

async function refusalOf(options: Options): Promise<number> {
  const socket = connect(options);
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  return response.statusCode;
}

async function runs(terminal: ReturnType<typeof open>): Promise<void> {
  await terminal.opened;
  terminal.send({ input: 'echo $((6*7))-ok\r' });
  await expect.poll(terminal.text).toContain('42-ok');
}

describe('a terminal', () => {
  test("is the owner's and an admin's, in the app's environment, with its size", async () => {
    expect(await ada.rpc.appRuns.terminal.query({ id: project.id })).toEqual({ available: true, reason: '' });
    for (const { cookie } of [ada, root]) {
      const terminal = open({ cookie });
      await runs(terminal);
      terminal.send({ size: { cols: 101, rows: 31 } });
      terminal.send({ input: 'stty size; ls\r' });
      await expect.poll(terminal.text).toMatch(/31 101[\s\S]*server\.js/);
      terminal.send({ input: 'exit\r' });
      expect(await terminal.end).toBe('The session has ended.');
    }
  });

  test('is opened by a session from a page of ours, and by nothing else', async () => {
    expect(await refusalOf({ headers: {} })).toBe(403);
    expect(await refusalOf({ headers: { origin: 'https://evil.example' } })).toBe(403);
    expect(await refusalOf({ headers: { origin, 'sec-fetch-site': 'same-site' } })).toBe(403);
    expect(await refusalOf({ cookie: '' })).toBe(401);
    expect(await refusalOf({ cookie: bob.cookie })).toBe(404);
    expect(await refusalOf({ id: ABSENT })).toBe(404);
    const { token } = await ada.rpc.auth.createToken.mutate({ name: 'CI', scope: 'write' });
    const authorization = `Bearer ${token}`;
    expect(await refusalOf({ cookie: '', headers: { origin, authorization } })).toBe(401);
    const path = terminalPath(project.id);
    expect((await world.anyone.rest(`GET ${path}`)).status).toBe(401);
    expect((await bob.rest(`GET ${path}`)).status).toBe(404);
    expect((await world.anyone.rest(`GET ${path}`, { headers: { authorization } })).status).toBe(403);
  });

  test('says why there is none, and how many there can be', async () => {
    const empty = await ada.rpc.projects.create.mutate({ name: 'Empty' });
    const reason = 'There is no release to open a terminal in. Deploy the app first.';
    expect(await ada.rpc.appRuns.terminal.query({ id: empty.id })).toEqual({ available: false, reason });
    expect(await open({ id: empty.id }).end).toBe(reason);
    const five = Array.from({ length: 5 }, () => open());
    for (const terminal of five) await runs(terminal);
    expect(await open().end).toBe('You can have up to 5 terminals open at once. Close one first.');
    for (const { socket } of five) socket.close();
  });

  test('is none of a static site, be it one by its framework or by what its build found', async () => {
    const { db } = world.deps;
    const { detected, liveDeploymentId } = await ada.rpc.projects.get.query({ id: project.id });
    const find = (processes: object[]) =>
      db
        .updateTable('projects')
        .set({ detected: JSON.stringify({ ...detected, processes }) })
        .where('id', '=', project.id)
        .execute();
    const frame = (framework: 'nodejs' | 'static') =>
      db
        .updateTable('deployments')
        .set({ framework })
        .where('id', '=', liveDeploymentId ?? '')
        .execute();
    const reason = expect.stringMatching(/^A static site has no environment to open a terminal in/);
    const answer = () => ada.rpc.appRuns.terminal.query({ id: project.id });
    await find([]);
    expect(await answer()).toEqual({ available: false, reason });
    await find(detected?.processes ?? []);
    expect(await answer()).toMatchObject({ available: true });
    await frame('static');
    expect(await answer()).toEqual({ available: false, reason });
    await frame('nodejs');
  });

  test('ends with the right to it, and with its session', async () => {
    const { db } = world.deps;
    const { id } = root.user;
    const first = open({ cookie: root.cookie });
    await runs(first);
    await db.updateTable('users').set({ role: 'member' }).where('id', '=', id).execute();
    expect(await first.end).toBe("You can't use this terminal any more.");
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute();
    const second = open({ cookie: root.cookie });
    await runs(second);
    await db.deleteFrom('sessions').where('userId', '=', id).execute();
    expect(await second.end).toBe('Your session has ended. Sign in again.');
  });

  test('waits with output that nobody has shown yet, and takes nothing but its messages', async () => {
    const socket = connect();
    let bytes = 0;
    socket.on('message', (data) => {
      bytes += (data as Buffer).length;
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ input: 'head -c 9000000 /dev/zero | tr "\\0" x; echo\r' }));
    await expect.poll(() => bytes).toBeGreaterThan(512 * 1024);
    // What is ahead of what was shown stays below the window and one more read.
    const before = bytes;
    await world.deps.db.selectNoFrom((eb) => eb.val(1).as('one')).execute();
    expect(before).toBeLessThan(1024 * 1024);
    socket.send(JSON.stringify({ shown: bytes }));
    await expect.poll(() => bytes).toBeGreaterThan(before);
    socket.send('nonsense');
    const [code] = await once(socket, 'close');
    expect(code).toBe(1008);
  });

  test('is closed once nothing was typed or shown for long, and ends its shell', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    const close = async () => resolve('It was closed.');
    const shell: Shell = { output: new PassThrough(), write() {}, resize() {}, close, ended };
    const times = { idle: 30, check: 10, silence: 60_000 };
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server.on('connection', (socket) => carryTerminal(socket, shell, { times, whyEnd: async () => null }));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [last] = await once(new WebSocket(`ws://127.0.0.1:${port}`), 'message');
    const end = 'The terminal was closed after 30 minutes without input or output.';
    expect(JSON.parse(String(last))).toEqual({ end });
    expect(await ended).toBe('It was closed.');
    server.close();
  });

  test('ends with its project', async () => {
    const terminal = open();
    await runs(terminal);
    await ada.rpc.projects.remove.mutate({ id: project.id });
    expect(await terminal.end).toMatch(/The session has ended\.|You can't use this terminal any more\./);
  });
});
