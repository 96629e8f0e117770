import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type GitServer, startGitServer } from '../git-server.ts';
import { helloApp, nodeApp, staticSite } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from './engine-world.ts';
import { processesOf } from './running-processes.ts';

let git: GitServer;
let world: EngineWorld;

beforeAll(async () => {
  git = await startGitServer();
  world = await createEngineWorld({ limits: { keptReleases: 2, restartDelay: 20, crashes: 3 } });
});

afterAll(async () => {
  await world.close();
  await git.close();
});

/** Answers after a while; `/events` tells of itself without end, as does a WebSocket whenever it is asked. */
const talker = (name: string) => ({
  ...helloApp(name),
  'server.js': `const { createHash } = require('node:crypto');
require('node:http').createServer((request, response) => {
  if (request.url !== '/events') return setTimeout(() => response.end('${name}'), 150);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => response.write('data: ${name}\\n\\n'), 20);
  response.on('close', () => clearInterval(timer));
}).on('upgrade', (request, socket) => {
  const key = request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n' +
    'Sec-WebSocket-Accept: ' + createHash('sha1').update(key).digest('base64') + '\\r\\n\\r\\n');
  socket.on('data', () => socket.write(Buffer.concat([Buffer.from([0x81, 3]), Buffer.from('${name}')])));
  socket.on('error', () => {});
}).listen(process.env.PORT);`,
});

async function openSocket({ slug }: TestProject): Promise<{ ask(): Promise<string>; close(): void }> {
  const host = `${slug}.localhost:${world.port}`;
  const socket = new WebSocket(`ws://127.0.0.1:${world.port}/`, { headers: { host } });
  await once(socket, 'open');
  return {
    async ask() {
      socket.send('?');
      const [message] = await once(socket, 'message');
      return String(message);
    },
    close: () => socket.terminate(),
  };
}

async function openEvents({ slug }: TestProject): Promise<{ next(): Promise<string>; close(): void }> {
  const headers = { host: `${slug}.localhost:${world.port}` };
  const call = request({ port: world.port, host: '127.0.0.1', path: '/events', headers, agent: false }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  // What nobody waits for passes by, so that `next` is of now.
  response.resume();
  const next = async () => {
    const [chunk] = await once(response, 'data');
    return String(chunk).trim().split('\n').at(-1) ?? '';
  };
  return { next, close: () => call.destroy() };
}

it('loses no request while versions change, and keeps streams and WebSockets where they began', async () => {
  await git.createRepository('changing', talker('one'));
  const project = world.project(git.url('changing'));
  const first = await world.deploy(project);
  const [events, socket] = [await openEvents(project), await openSocket(project)];
  const answers: Promise<string>[] = [];
  const timer = setInterval(() => {
    answers.push(world.ask(project).then(({ status, text }) => `${status} ${text}`, String));
  }, 50);
  await git.commit('changing', talker('two'), 'Second');
  expect((await world.deploy(project)).outcome).toEqual({ status: 'running' });
  expect([await events.next(), await socket.ask()]).toEqual(['data: one', 'one']);
  const [newEvents, newSocket] = [await openEvents(project), await openSocket(project)];
  expect([await newEvents.next(), await newSocket.ask()]).toEqual(['data: two', 'two']);
  for (const stream of [events, socket, newEvents, newSocket]) stream.close();
  await wait(500);
  clearInterval(timer);
  const seen = await Promise.all(answers);
  expect(seen.length).toBeGreaterThan(15);
  expect(new Set(seen)).toEqual(new Set(['200 one', '200 two']));
  expect(seen.lastIndexOf('200 one')).toBeLessThan(seen.length - 2);
  await expect.poll(() => processesOf(first.job.deploymentId), { timeout: 8000 }).toEqual([]);
});

it('rolls back to a kept release without a build, and forgets the oldest', async () => {
  await git.createRepository('versions', helloApp('v1'));
  const project = world.project(git.url('versions'));
  const deployed = [await world.deploy(project)];
  for (const version of ['v2', 'v3']) {
    await git.commit('versions', helloApp(version), version);
    deployed.push(await world.deploy(project));
  }
  const [v1, v2] = deployed.map(({ job }) => job.deploymentId);
  await expect.poll(() => world.removedReleases).toEqual([v1]);
  const asked = git.requests.length;
  const back = await world.deploy(project, { rollbackOf: v2 });
  expect(back.outcome).toEqual({ status: 'running' });
  expect(back.progress.flatMap(({ step }) => step ?? [])).toEqual(['start', 'health', 'switch']);
  expect(git.requests.length).toBe(asked);
  expect(await world.ask(project)).toMatchObject({ text: 'v2' });
  expect((await world.deploy(project, { rollbackOf: v1 })).outcome).toEqual({
    status: 'failed',
    step: 'start',
    error: 'This release is no longer kept. Deploy again instead.',
  });
  // Said once more, so that it is offered no longer where it still was.
  expect(world.removedReleases).toEqual([v1, v1]);
  expect(await world.ask(project)).toMatchObject({ text: 'v2' });
});

it('keeps a release that is being started from the room that an earlier switch makes', async () => {
  await git.createRepository('room', talker('v1'));
  const project = world.project(git.url('room'));
  const first = await world.deploy(project);
  await git.commit('room', talker('v2'), 'Second');
  const second = await world.deploy(project);
  // It keeps the second version from ending, and what is to be deleted then from being deleted.
  const events = await openEvents(project);
  await git.commit('room', talker('v3'), 'Third');
  await world.deploy(project);
  const oldest = first.job.deploymentId;
  const back = await world.deploy(project, {
    rollbackOf: oldest,
    async onSwitch() {
      events.close();
      await expect.poll(() => processesOf(second.job.deploymentId), { timeout: 8000 }).toEqual([]);
      await wait(200);
    },
  });
  expect(back.outcome).toEqual({ status: 'running' });
  expect(world.removedReleases).not.toContain(oldest);
  expect(await world.ask(project)).toMatchObject({ text: 'v1' });
});

it('starts a crashed app again, and gives up when it crashes on and on', async () => {
  await git.createRepository(
    'crashing',
    nodeApp('if (request.url === "/crash") process.exit(1); response.end("up");'),
  );
  const project = world.project(git.url('crashing'));
  const { job, log } = await world.deploy(project);
  const crash = async () => {
    await expect.poll(async () => (await world.ask(project)).text).toBe('up');
    expect((await world.ask(project, '/crash', { method: 'POST' })).status).toBe(502);
  };
  await crash();
  await crash();
  await expect.poll(() => world.recoveries.filter((id) => id === job.deploymentId).length).toBe(2);
  expect(log()).toContain('The app exited with code 1. Restarting in 0 seconds.');
  await crash();
  const reason = 'The app exited with code 1. It crashed 3 times and will not be restarted.';
  await expect.poll(() => world.crashes).toEqual([{ deploymentId: job.deploymentId, error: reason }]);
  world.absences.set(project.slug, 'failed');
  expect(await world.ask(project)).toMatchObject({
    status: 503,
    text: expect.stringContaining('Not running'),
  });
});

it('stops an app with all that it started, and one that does not want to', async () => {
  const before = `process.on('SIGTERM', () => {});
require('node:child_process').spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref();`;
  await git.createRepository('stubborn', helloApp('here', { before }));
  const project = world.project(git.url('stubborn'));
  const { job } = await world.deploy(project);
  expect(await processesOf(job.deploymentId)).toHaveLength(2);
  await world.engine.stopApp(project.projectId);
  expect(await processesOf(job.deploymentId)).toEqual([]);
  world.absences.set(project.slug, 'stopped');
  expect(await world.ask(project)).toMatchObject({ status: 503, text: expect.stringContaining('Stopped') });
});

it('deletes a project', async () => {
  await git.createRepository('deleted', staticSite('x'));
  const project = world.project(git.url('deleted'), { framework: 'static' });
  await world.deploy(project);
  await world.engine.removeProject(project.projectId);
  expect((await world.ask(project)).status).toBe(404);
  expect(await readdir(join(world.dataDir, 'apps/projects'))).not.toContain(project.projectId);
});
