import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { firewallTable } from '../../src/domains/deployments/engine/container/firewall.ts';
import type { DeployedApp } from '../../src/domains/deployments/engine/engine.ts';
import { diskPlace } from '../../src/domains/deployments/engine/folders.ts';
import { type DockerDaemon, hasDocker, startDockerDaemon } from '../docker-daemon.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from './engine-world.ts';
import { killUpdates } from './killed-updates.ts';

const runnable = hasDocker();
const hasNft = requireTool('nft');
const it = test.skipIf(!runnable);

let daemon: DockerDaemon;
let world: EngineWorld;
let given: Server;
let notGiven: Server;

beforeAll(async () => {
  if (!runnable) return;
  daemon = await startDockerDaemon();
  given = createServer((socket) => socket.end(`you are ${socket.remoteAddress}`)).listen(0, '127.0.0.1');
  notGiven = createServer((socket) => socket.end('reached')).listen(0, '0.0.0.0');
  await Promise.all([once(given, 'listening'), once(notGiven, 'listening')]);
  world = await createEngineWorld({
    limits: { restartDelay: 20, listenTime: 5000, appBytes: 20_000_000, appDiskTime: 500 },
    ports: [portOf(given)],
    env: { DEPLOY_RUNTIME: 'docker', DOCKER_HOST: daemon.host },
  });
});

afterAll(async () => {
  await world?.close();
  await daemon?.close();
  given?.close();
  notGiven?.close();
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;

const hello = (text: string) => ({
  'server.js': `let at = 0; setInterval(() => console.log('line ' + at++), 50);
require('node:http').createServer((_, response) => response.end('${text}')).listen(process.env.PORT, process.env.HOST);`,
});

const imageProject = (reference: string, change: Partial<TestProject> = {}) =>
  world.project('', { image: { reference, credentials: null }, ...change });

async function running(project: TestProject, within = world): Promise<TestProject> {
  const { outcome, log } = await within.deploy(project);
  expect(outcome, log()).toEqual({ status: 'running' });
  return project;
}

const containers = async (projectId: string) =>
  daemon.docker.listContainers({ all: true, filters: { label: [`app.nephos.project=${projectId}`] } });

/** A registry's names under another address, where what they consist of can go missing. */
async function startBrokenRegistry(reference: string) {
  const [host = '', name = ''] = reference.split('/');
  let lacksBlobs = false;
  const server = createHttpServer(async (request, response) => {
    const { url = '', method = 'GET', headers } = request;
    if (lacksBlobs && url.includes('/blobs/')) return response.writeHead(404).end();
    const { accept = '*/*' } = headers;
    const answer = await fetch(`http://${host}${url}`, { method, headers: { accept } });
    const body = Buffer.from(await answer.arrayBuffer());
    const kept = ['content-type', 'docker-content-digest', 'docker-distribution-api-version'];
    for (const header of kept)
      if (answer.headers.has(header)) response.setHeader(header, answer.headers.get(header) ?? '');
    response.setHeader('content-length', answer.headers.get('content-length') ?? body.length);
    response.writeHead(answer.status).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    reference: `127.0.0.1:${portOf(server)}/${name}`,
    lackBlobs() {
      lacksBlobs = true;
    },
    close: () => server.close(),
  };
}

function liveOf({ projectId }: TestProject): DeployedApp {
  const live = world.live.get(projectId);
  if (!live) throw new Error('nothing is live');
  return live;
}

it('says why an image cannot be pulled or run, and leaves nothing of it', async () => {
  const here = await daemon.addImage('known', hello('known'));
  const project = await running(imageProject(here));
  const failure = async (reference: string) => {
    const { outcome } = await world.deploy({ ...project, image: { reference, credentials: null } });
    return outcome.status === 'failed' ? `${outcome.step}: ${outcome.error}` : outcome.status;
  };
  const missing = here.replace('known', 'missing');
  expect(await failure(missing)).toBe(`pull: Failed to pull the image: ${missing} does not exist.`);
  expect(await failure('127.0.0.1:1/app:latest')).toBe(
    'pull: Failed to pull the image: the registry of 127.0.0.1:1/app:latest did not respond.',
  );
  const foreign = await daemon.addForeignImage('foreign', 'arm64');
  expect(await failure(foreign)).toContain(`${foreign} is built for arm64, and this server's processor is`);
  expect(await world.ask(project)).toMatchObject({ text: 'known' });
  const kept = await daemon.docker.listImages({ filters: { reference: [`nephos/${project.projectId}:*`] } });
  expect(kept.flatMap(({ RepoTags }) => RepoTags)).toHaveLength(1);
  await world.engine.removeProject(project.projectId);
  expect(await containers(project.projectId)).toEqual([]);
  expect(
    await daemon.docker.listImages({ filters: { reference: [`nephos/${project.projectId}:*`] } }),
  ).toEqual([]);
});

it('keeps the version before where a pull ends midway, and lets two pull one image at once', async () => {
  const reference = await daemon.addImage('moved', hello('first'));
  const broken = await startBrokenRegistry(reference);
  const own = broken.reference;
  await new Promise((resolve, reject) =>
    daemon.docker.pull(own, {}, (error: Error | null, stream?: NodeJS.ReadableStream) =>
      error || !stream ? reject(error) : daemon.docker.modem.followProgress(stream, resolve),
    ),
  );
  const project = imageProject(own);
  const { outcome, log, progress } = await world.deploy(project);
  expect(outcome, log()).toEqual({ status: 'running' });
  const digest = log().match(/Digest: (sha256:\w+)/)?.[1];
  expect(progress).toContainEqual({ imageDigest: digest });
  await daemon.addImage('moved', hello('second'));
  broken.lackBlobs();
  const second = await world.deploy(project);
  expect(second.outcome).toMatchObject({
    ...{ status: 'failed', step: 'pull' },
    error: expect.not.stringContaining('stopped pulling'),
  });
  expect(await world.ask(project)).toMatchObject({ text: 'first' });
  broken.close();

  const both = [imageProject(reference), imageProject(reference)];
  await Promise.all(both.map((each) => running(each)));
  expect(await daemon.docker.listImages({ filters: { reference: [reference] } })).toEqual([]);
  await Promise.all([project, ...both].map(({ projectId }) => world.engine.removeProject(projectId)));
});

it('keeps all of a line that Docker takes apart', async () => {
  const files = {
    'server.js': `console.log('x'.repeat(40000)); console.log('next'); ${hello('long')['server.js']}`,
  };
  const project = imageProject(await daemon.addImage('long', files));
  const { log } = await world.deploy(project);
  await expect.poll(log).toContain('next');
  expect(
    log()
      .match(/x{100,}/g)
      ?.join(''),
  ).toHaveLength(40_000);
  await world.engine.removeProject(project.projectId);
});

it('gives a disk to the account of the image, and its port to the proxy', async () => {
  const files = {
    'server.js': `require('node:fs').writeFileSync('/data/of', String(process.getuid()));
require('node:http').createServer((_, r) => r.end(require('node:fs').readFileSync('/data/of'))).listen(4321);`,
  };
  const reference = await daemon.addImage('account', files, { changes: ['USER app'] });
  const disks = [{ id: `disk-${Date.now()}`, name: 'data', path: '/data', size: 64 }];
  const project = imageProject(reference, { disks });
  const { folder } = diskPlace(join(world.dataDir, 'apps'), project.projectId, disks[0]?.id ?? '');
  await mkdir(join(folder, 'former'), { recursive: true });
  expect((await world.deploy(project)).outcome).toMatchObject({
    ...{ status: 'failed', step: 'start' },
    error: expect.stringMatching(/^Start failed: the disk "data" has data from when apps ran as processes/),
  });
  await rm(join(folder, 'former'), { recursive: true });
  // As a server leaves it that is killed before it gave the disk away.
  await daemon.docker.createVolume({ Name: `nephos-${disks[0]?.id}` });
  const { outcome, log, progress } = await world.deploy(project);
  expect(outcome, log()).toEqual({ status: 'running' });
  expect(await world.ask(project)).toMatchObject({ text: '1234' });
  expect(log()).toContain('listens on 4321, not on PORT');
  expect(progress).toContainEqual({ port: 4321 });
  await world.engine.removeProject(project.projectId);
});

test.skipIf(!runnable || !hasNft)(
  'keeps a container from others, from this machine and from what is told of it',
  async () => {
    const probe = `const net = require('node:net');
const ask = (host, port) => new Promise((resolve) => {
  const socket = net.connect({ host, port, timeout: 4000 });
  socket.once('data', (data) => { resolve(String(data)); socket.destroy(); });
  socket.once('error', (error) => resolve(error.code));
  socket.once('timeout', () => { resolve('silence'); socket.destroy(); });
});
Promise.all(process.argv.slice(2).map((place) => ask(...place.split(' ')))).then((all) => console.log(JSON.stringify(all)));`;
    const reference = await daemon.addImage('hostile', { ...hello('hostile'), 'probe.js': probe });
    const neighbour = await running(imageProject(reference));
    const settings = {
      ...DETECTED_SETTINGS,
      processes: [{ name: 'web', command: '', instances: null, memory: 256, cpu: null, tasks: 40 }],
    };
    const project = await running(imageProject(reference, { settings }));
    const [other] = await containers(neighbour.projectId);
    const address = Object.values(other?.NetworkSettings.Networks ?? {})[0];
    const run = async (command: string) => {
      let text = '';
      const write = (_: string, more: string) => {
        text += more;
      };
      const log = { write, system: () => {}, close: async () => {} };
      const signal = new AbortController().signal;
      const app = liveOf(project);
      const end = await world.engine.commands.run({ app, command, timeLimit: 30_000 }, log, signal);
      return { end, text };
    };
    const places = [
      `nephos.internal ${portOf(given)}`,
      `nephos.internal ${portOf(notGiven)}`,
      `127.0.0.1 ${portOf(notGiven)}`,
      `${address?.IPAddress} 3000`,
      `${address?.Gateway} ${portOf(notGiven)}`,
      '169.254.169.254 80',
      '100.100.100.200 80',
    ];
    const { text } = await run(`node probe.js ${places.map((place) => `"${place}"`).join(' ')}`);
    const [door, ...rest] = JSON.parse(text);
    expect(door).toMatch(/^you are 198\.19\./);
    // What is refused is so at once.
    expect(rest).toEqual(Array(6).fill(expect.stringMatching(/^(ECONNREFUSED|ECONNRESET)$/)));

    // Whoever reloads the machine's own rules may take ours along: they are back with the next container.
    const nft = (args: string[]) => promisify(execFile)('nft', args);
    const table = ['table', 'ip', firewallTable(world.engine.commands.instance)];
    await nft(['delete', ...table]);
    await run('true');
    await nft(['list', ...table]);

    const fill = `node -e "require('node:fs').writeFileSync('/tmp/full', Buffer.alloc(3e7)); setTimeout(() => {}, 2e4)"`;
    expect((await run(fill)).end).toMatchObject({
      error: expect.stringContaining('it used more than 19.07 MB of disk'),
    });
    expect((await run('ls /var/run/docker.sock')).end.status).toBe('failed');
    expect((await run('mount -t tmpfs none /tmp')).end.status).toBe('failed');
    expect((await run('cat /proc/self/status')).text).toMatch(
      /CapEff:\s+00000000000004eb[\s\S]*NoNewPrivs:\s+1/,
    );
    const bomb = 'for i in 1 2 3 4 5 6 7 8; do for j in 1 2 3 4 5 6 7 8; do sleep 5 & done; done; wait';
    expect((await run(bomb)).text).toMatch(/can't fork/);
    expect(await world.ask(neighbour)).toMatchObject({ text: 'hostile' });
    await Promise.all([project, neighbour].map(({ projectId }) => world.engine.removeProject(projectId)));
  },
);

it('lets apps run on while the daemon is away, counts no crash, and doubles nothing', async () => {
  const project = await running(imageProject(await daemon.addImage('restarted', hello('on'))));
  const [before] = await containers(project.projectId);
  const stopped = await running(imageProject(await daemon.addImage('stopped', hello('off'))));
  await daemon.restart('SIGKILL', {
    async meanwhile() {
      await expect.poll(() => world.engine.containers().reason).toContain('DOCKER_HOST');
      expect(await world.ask(project)).toMatchObject({ text: 'on' });
      const { outcome } = await world.deploy(project);
      expect(outcome).toMatchObject({
        status: 'failed',
        step: 'pull',
        error: expect.stringContaining('DOCKER_HOST'),
      });
      await world.engine.stopApp(stopped.projectId);
    },
  });
  await expect.poll(() => world.engine.containers().available).toBe(true);
  expect((await containers(project.projectId)).map(({ Id }) => Id)).toEqual([before?.Id]);
  expect(await world.ask(project)).toMatchObject({ text: 'on' });
  // What was to stop while it was away does so now.
  await expect.poll(() => containers(stopped.projectId)).toEqual([]);
  await world.engine.removeProject(stopped.projectId);

  // A daemon that takes its containers along: they come back with it.
  await daemon.restart('SIGKILL', { liveRestore: false });
  await expect.poll(async () => (await world.ask(project)).text).toBe('on');
  expect(await containers(project.projectId)).toHaveLength(1);
  const ends = world.changes.filter(
    ({ projectId, state }) => projectId === project.projectId && state === 'crashed',
  );
  expect(ends).toEqual([]);
  await world.engine.removeProject(project.projectId);
  await daemon.restart('SIGTERM');
  await expect.poll(() => world.engine.containers().available).toBe(true);
});

it('takes containers over after kill -9, goes on with their logs, and removes what was cut off', async () => {
  const reference = await daemon.addImage('survivor', hello('still here'));
  const deaf = await daemon.addImage('deaf', { 'server.js': 'setInterval(() => {}, 1000)' });
  const dataDir = await mkdtemp(join(tmpdir(), 'nephos-engine-'));
  await chmod(dataDir, 0o711);
  const fixture = join(import.meta.dirname, 'fixtures/docker-host.ts');
  const host: ChildProcess = fork(fixture, [dataDir, daemon.host, reference, deaf]);
  const [{ live }] = (await once(host, 'message')) as [{ live: DeployedApp[] }];
  const [app] = live;
  if (!app) throw new Error('nothing is live');
  const [before] = await containers(app.projectId);
  const filters = { label: [`app.nephos.instance=${before?.Labels['app.nephos.instance']}`] };
  const all = () => daemon.docker.listContainers({ all: true, filters });
  await expect.poll(all).toHaveLength(2);
  const names = (await all()).flatMap(({ Names }) => Names.map((name) => name.slice(1)));
  host.kill('SIGKILL');
  await once(host, 'exit');
  const built = daemon.docker.getContainer(before?.Id ?? '');
  const { Id: image } = await built.commit({ changes: ['LABEL app.nephos.project=cut-off'] });

  const marks = join(dataDir, 'apps/containers');
  const [cut = ''] = names.filter((name) => name.includes('-cut-'));
  await writeFile(join(marks, cut), '');
  const env = { DEPLOY_RUNTIME: 'docker', DOCKER_HOST: daemon.host };
  const second = await createEngineWorld({ dataDir, live: new Map([[app.projectId, app]]), env });
  const bySlug = { ...second.project(''), slug: 'app' };
  await expect.poll(async () => (await second.ask(bySlug)).text).toBe('still here');
  expect((await containers(app.projectId)).map(({ Id }) => Id)).toEqual([before?.Id]);
  expect(await all()).toHaveLength(1);
  expect(await readdir(marks)).not.toContain(cut);
  await expect(daemon.docker.getImage(image).inspect()).rejects.toThrow('No such image');
  // It goes on where the first had read to a moment before, and not at the beginning.
  await expect.poll(() => second.logOf(app.deploymentId)).toMatch(/line \d+/);
  const [first] = /line (\d+)/.exec(second.logOf(app.deploymentId))?.slice(1).map(Number) ?? [];
  expect(first).toBeGreaterThan(10);

  await second.engine.stop();
  expect((await containers(app.projectId)).map(({ State }) => State)).toEqual(['running']);
  await second.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('backs up no volume that has options, behind which data stays when it is removed', async () => {
  const reference = await daemon.addImage('behind', hello('one'));
  const device = await mkdtemp(join(tmpdir(), 'nephos-behind-'));
  const id = `disk-${Date.now()}`;
  const DriverOpts = { type: 'none', o: 'bind', device };
  await daemon.docker.createVolume({ Name: `nephos-${id}`, DriverOpts });
  const disks = [{ id, name: 'data', path: '/data', size: 64 }];
  const project = await running(imageProject(reference, { disks }));
  const { outcome } = await world.deploy({ ...project, savesDisks: true });
  expect(outcome).toEqual({
    ...{ status: 'failed', step: 'start' },
    error: expect.stringContaining('its Docker volume was made with options of its own'),
  });
  expect((await world.ask(project)).text).toBe('one');
  await world.engine.removeProject(project.projectId);
  await world.engine.removeDisk(project.projectId, id);
  await rm(device, { recursive: true });
});

it("tells of a disk on a share that is away, and not of the share's password", async () => {
  const reference = await daemon.addImage('shared', hello('one'));
  const [o, device] = ['addr=127.0.0.1,username=nephos,password=hunter2', '//127.0.0.1/share'];
  const away = await createEngineWorld({
    env: {
      ...{ DEPLOY_RUNTIME: 'docker', DOCKER_HOST: daemon.host },
      DISK_DRIVER_OPTIONS: `type=cifs,"o=${o}",device=${device}/{disk}`,
    },
  });
  try {
    const id = `disk-${Date.now()}`;
    const project = imageProject(reference, { disks: [{ id, name: 'data', path: '/data', size: 64 }] });
    const failed = async (change: Partial<TestProject> = {}) => {
      const { outcome, log } = await away.deploy({ ...project, ...change });
      expect(log()).not.toContain('hunter2');
      expect(outcome).toMatchObject({ status: 'failed', step: 'start' });
      return 'error' in outcome ? outcome.error : '';
    };
    expect(await failed()).toMatch(/the disk "data" could not be made.+DISK_DRIVER_OPTIONS/);
    const Name = `nephos-${id}`;
    const DriverOpts = { type: 'cifs', o, device: `${device}/${Name}` };
    await daemon.docker.createVolume({ Name, DriverOpts });
    expect(await failed()).toMatch(/could not be started \(the disk could not be mounted: [\w ]+\)/);
    await daemon.docker.createVolume({ Name: `${Name}-backup`, DriverOpts });
    expect(await failed({ savesDisks: true })).toMatch(/could not be backed up/);
    await daemon.docker.getVolume(Name).remove();
  } finally {
    await away.close();
  }
});

it('puts a disk back that a killed server was updating, before anything runs on it', async () => {
  const app = (version: string) => ({
    'server.js': `const fs = require('node:fs');
fs.appendFileSync('/kept/starts', '${version} ');
require('node:http').createServer((_, response) => response.end('${version}: ' + fs.readFileSync('/kept/starts')))
  .listen(process.env.PORT);`,
  });
  const source = async (version: string) => ({
    image: { reference: await daemon.addImage(`updated-${version}`, app(version)), credentials: null },
  });
  const env = { DEPLOY_RUNTIME: 'docker', DOCKER_HOST: daemon.host };
  const killed = await killUpdates({ env, one: await source('1'), two: await source('2') });
  let next: EngineWorld | undefined;
  // The daemon is away when the next server starts.
  await daemon.restart('SIGTERM', {
    meanwhile: async () => {
      next = await createEngineWorld({ ...killed, env });
    },
  });
  const ask = async (slug: string) => (await next?.ask({ ...next.project(''), slug }))?.text;
  await expect.poll(() => ask('first')).toBe('1: 1 1 ');
  // It was live, so it was left to run.
  await expect.poll(() => ask('second')).toBe('2: 1 2 ');
  expect(killed.backups.filter(existsSync)).toEqual([]);
  const { Volumes } = await daemon.docker.listVolumes();
  expect(Volumes.filter(({ Name }) => Name.includes('backup'))).toEqual([]);
  for (const id of killed.live.keys()) await next?.engine.removeProject(id);
  await next?.close();
});
