import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DETECTED_SETTINGS, type RunSettings } from '@nephos/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import type { DeployedApp } from '../../src/domains/deployments/engine/engine.ts';
import { type GitServer, startGitServer } from '../git-server.ts';
import { helloApp, nodeApp } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from './engine-world.ts';
import { mountsBelow } from './mounts-below.ts';
import { processesOf } from './running-processes.ts';

const MB = 1024 ** 2;

let git: GitServer;
let world: EngineWorld;

beforeAll(async () => {
  git = await startGitServer();
  world = await createEngineWorld({
    limits: {
      restartDelay: 20,
      crashes: 3,
      workerTime: 1500,
      portTime: 200,
      healthTime: 2000,
      healthRequestTime: 500,
    },
  });
});

afterAll(async () => {
  await world.close();
  await git.close();
});

type Settings = Partial<Omit<RunSettings, 'processes'>> & {
  processes?: (Partial<RunSettings['processes'][number]> & { name: string })[];
};

function settingsOf({ processes = [], ...settings }: Settings): Partial<TestProject> {
  const all = { command: '', instances: null, memory: null, cpu: null, tasks: null };
  return {
    settings: {
      ...DETECTED_SETTINGS,
      ...settings,
      processes: processes.map((process) => ({ ...all, ...process })),
    },
  };
}

const statesOf = ({ projectId }: TestProject) =>
  world.engine.processes(projectId).map(({ process, instance, state }) => `${process} ${instance} ${state}`);

it('runs workers beside web, and keeps web while one of them crashes', async () => {
  await git.createRepository('workers', {
    ...helloApp('up'),
    'worker.js': `console.log('at work, port ' + process.env.PORT); setInterval(() => {}, 1000);`,
    'fails.js': `setTimeout(() => process.exit(4), 2500);`,
  });
  const project = world.project(
    git.url('workers'),
    settingsOf({
      processes: [
        { name: 'worker', command: 'node worker.js', instances: 2 },
        { name: 'failing', command: 'node fails.js' },
      ],
    }),
  );
  const { outcome, log, job } = await world.deploy(project);
  expect(outcome).toEqual({ status: 'running' });
  expect(log().match(/at work, port undefined/g)).toHaveLength(2);
  await expect
    .poll(() => statesOf(project))
    .toEqual(['web 1 running', 'worker 1 running', 'worker 2 running', 'failing 1 failed']);
  expect(world.engine.processes(project.projectId).at(-1)).toMatchObject({
    command: 'node fails.js',
    reason: 'exited with code 4',
    restarts: 2,
  });
  expect(world.changes).toContainEqual(
    expect.objectContaining({
      ...{ deploymentId: job.deploymentId, projectId: project.projectId, process: 'failing' },
      ...{ state: 'failed', exit: { code: 4, signal: null } },
    }),
  );
  expect(await world.ask(project)).toMatchObject({ status: 200, text: 'up' });
  const figures = world.figures.collect().filter(({ projectId }) => projectId === project.projectId);
  expect(figures.map(({ process }) => process).sort()).toEqual(expect.arrayContaining(['', 'web', 'worker']));
  const whole = figures.find(({ process }) => process === '');
  expect(whole).toMatchObject({ requests: 1, errors: 0 });
  expect(whole?.latencies.at(-1)).toBe(1);
  expect((whole?.memorySum ?? 0) / (whole?.memorySamples ?? 1)).toBeGreaterThan(40 * 1024 ** 2);
  expect(whole?.cpuMs).toBeGreaterThan(0);
  expect(whole?.disk).toBeGreaterThan(0);
  await world.engine.stopApp(project.projectId);
  expect(await processesOf(job.deploymentId)).toEqual([]);
  expect(statesOf(project)).toEqual([
    ...['web 1 stopped', 'worker 1 stopped', 'worker 2 stopped', 'failing 1 failed'],
  ]);
});

it('fails a deployment of which a worker cannot start, and keeps the version before', async () => {
  await git.createRepository('bad-worker', helloApp('old'));
  const project = world.project(git.url('bad-worker'));
  await world.deploy(project);
  const { outcome } = await world.deploy({
    ...project,
    ...settingsOf({ processes: [{ name: 'worker', command: 'sh -c "exit 3"' }] }),
  });
  expect(outcome).toEqual({
    status: 'failed',
    step: 'start',
    error:
      'Start failed: the process worker (sh -c "exit 3") exited with code 3. See the log for details. It crashed 3 times and will not be restarted.',
  });
  expect(await world.ask(project)).toMatchObject({ text: 'old' });
});

it('spreads requests over instances, and goes on with the others while one is down', async () => {
  // In a sandbox their process ids are the same.
  const before = `const id = require('node:crypto').randomUUID();`;
  const code = `if (request.url === '/crash') process.exit(1);
if (request.url === '/slow') return setTimeout(() => response.end(id), 400);
response.end(id);`;
  await git.createRepository('instances', nodeApp(code, { before }));
  const project = world.project(
    git.url('instances'),
    settingsOf({ processes: [{ name: 'web', instances: 3 }] }),
  );
  const { outcome, log } = await world.deploy(project);
  expect(outcome).toEqual({ status: 'running' });
  const ask = async (path = '/') => (await world.ask(project, path)).text;
  const quick = [];
  for (let n = 0; n < 6; n += 1) quick.push(await ask());
  expect(new Set(quick).size).toBe(3);
  // What has a request already gets none while others have none.
  const slow = [ask('/slow'), ask('/slow')];
  await expect.poll(async () => new Set([await ask(), await ask(), await ask()]).size).toBe(1);
  expect(new Set(await Promise.all(slow)).size).toBe(2);

  expect((await world.ask(project, '/crash', { method: 'POST' })).status).toBe(502);
  const answers = [];
  for (let n = 0; n < 20; n += 1) answers.push((await world.ask(project)).status);
  expect(new Set(answers)).toEqual(new Set([200]));
  await expect.poll(log).toMatch(/Instance \d of web exited with code 1\. Restarting in/);
  await expect.poll(() => statesOf(project)).toEqual(['web 1 running', 'web 2 running', 'web 3 running']);
  // A request that changes nothing is asked of another instance when the first one dies of it.
  expect(
    world.engine
      .processes(project.projectId)
      .map(({ restarts }) => restarts)
      .sort(),
  ).toEqual([0, 0, 1]);
});

it('runs an app that has no web process, and says so at its address', async () => {
  await git.createRepository('background', {
    ...helloApp('x'),
    'worker.js': `setInterval(() => {}, 1000);`,
  });
  const project = world.project(git.url('background'));
  const { job } = await world.deploy(project);
  // A release of a Procfile that has only this line.
  const release = join(world.dataDir, 'apps/projects', project.projectId, 'releases', job.deploymentId);
  const worker = { name: 'worker', argv: ['node', 'worker.js'], expand: false, label: 'node worker.js' };
  await writeFile(join(release, 'release.json'), JSON.stringify({ kind: 'process', processes: [worker] }));
  const { outcome, progress } = await world.deploy(project, { rollbackOf: job.deploymentId });
  expect(outcome).toEqual({ status: 'running' });
  expect(progress.flatMap(({ step }) => step ?? [])).toEqual(['start', 'switch']);
  expect(statesOf(project)).toEqual(['worker 1 running']);
  expect(await world.ask(project)).toMatchObject({
    status: 404,
    text: expect.stringContaining('has no web process'),
  });
});

it('finds a port that is not PORT by the sockets of the run', async () => {
  const port = await freePort();
  const server = (text: string) => ({
    ...helloApp('x'),
    'server.js': `require('node:net').createServer(() => {}).listen(0, '127.0.0.1');
require('node:http').createServer((_, response) => response.end('${text}')).listen(${port});`,
  });
  await git.createRepository('fixed-port', server('one'));
  const project = world.project(git.url('fixed-port'));
  const first = await world.deploy(project);
  expect(first.outcome).toEqual({ status: 'running' });
  expect(first.log()).toContain(`node server.js listens on ${port}, not on PORT; using it.`);
  expect(first.progress).toContainEqual({ port });
  expect(await world.ask(project)).toMatchObject({ text: 'one' });

  // Two versions cannot have the same port where they share a network, so the old one makes room, and comes back where the new one fails.
  await git.commit('fixed-port', { 'server.js': 'process.exit(5)' }, 'Break it');
  const broken = await world.deploy(project);
  expect(broken.outcome).toMatchObject({ status: 'failed', step: 'start' });
  const hasOwnPorts = world.engine.isolation().some(({ name, holds }) => name === 'Network' && holds);
  expect(broken.log().includes('so the running version stops before the new one starts.')).toBe(!hasOwnPorts);
  await expect.poll(async () => (await world.ask(project)).text).toBe('one');
  await git.commit('fixed-port', server('two'), 'Mend it');
  expect((await world.deploy(project)).outcome).toEqual({ status: 'running' });
  expect(await world.ask(project)).toMatchObject({ text: 'two' });
});

it('names the ports of an app that speaks no HTTP', async () => {
  const port = await freePort();
  await git.createRepository('no-http', {
    ...helloApp('x'),
    'server.js': `require('node:net').createServer((socket) => socket.on('error', () => {}).end('hi')).listen(${port});`,
  });
  const project = world.project(git.url('no-http'), settingsOf({ healthTimeout: 2 }));
  const { outcome } = await world.deploy(project);
  expect(outcome).toMatchObject({
    step: 'start',
    error: expect.stringMatching(
      new RegExp(
        `^Start failed: node server\\.js listens on port ${port}, which gave no HTTP response, and not on port \\d+\\. Make it listen on the port in the PORT environment variable\\.$`,
      ),
    ),
  });
});

it('takes no 5xx for health, with or without a path', async () => {
  await git.createRepository('all-500', nodeApp('response.statusCode = 500; response.end();'));
  const { outcome } = await world.deploy(world.project(git.url('all-500')));
  expect(outcome).toMatchObject({
    status: 'failed',
    step: 'health',
    error: 'Health check failed: the app returned 500 for 2 seconds.',
  });
});

it('keeps a disk over deployments, and lets only one version write to it', async () => {
  const server = (version: string) =>
    nodeApp(
      `const { writeFileSync, readdirSync, readFileSync } = require('node:fs');
if (request.url === '/write') writeFileSync('uploads/${version}', '');
const plain = process.env.NEPHOS_DISK_PLAIN;
const released = ['uploads', plain].map((folder) => readFileSync(folder + '/released', 'utf8'));
response.end('${version}: ' + readdirSync('uploads').sort() + ' ' + readdirSync(plain).sort() + ' ' + released);`,
      {
        before: `require('node:fs').writeFileSync(process.env.NEPHOS_DISK_PLAIN + '/started', process.env.NEPHOS_DATA);`,
      },
    );
  const release = `for (const folder of ['uploads', process.env.NEPHOS_DISK_PLAIN])
  require('node:fs').appendFileSync(folder + '/released', 'x');`;
  await git.createRepository('disk', { ...server('one'), 'uploads/seed': 'x', 'release.js': release });
  const project = world.project(git.url('disk'), {
    ...settingsOf({ processes: [{ name: 'web', instances: 3 }], releaseCommand: 'node release.js' }),
    disks: [
      { id: 'd1', name: 'uploads', path: '/app/uploads', size: 24 },
      { id: 'd2', name: 'plain', path: '/data', size: 24 },
    ],
  });
  if (world.engine.diskSupport().mounted) {
    for (const path of [world.dataDir, `${world.dataDir}/apps/projects/x`, dirname(world.dataDir)])
      expect(world.engine.whyNoDisk(path)).toContain('Choose another');
  }
  expect(world.engine.whyNoDisk('/data')).toBe('');
  const first = await world.deploy(project);
  expect(first.outcome).toEqual({ status: 'running' });
  expect(first.log()).toContain('One instance of each process runs, because the app has a disk.');
  expect(statesOf(project)).toEqual(['web 1 running']);
  expect((await world.ask(project, '/write')).text).toBe('one: one,released,seed released,started x,x');
  expect(await world.engine.diskUse(project.projectId, 'd1')).toEqual({
    ...{ bytes: expect.toSatisfy((bytes: number) => bytes > 0), limited: world.engine.diskSupport().limited },
  });
  expect(await world.engine.diskUse(project.projectId, 'absent')).toBeUndefined();

  await git.commit('disk', server('two'), 'Second');
  const second = await world.deploy(project);
  expect(second.log()).toContain(
    'The app has a disk, so the running version stops before the new one starts.',
  );
  expect((await world.ask(project)).text).toBe('two: one,released,seed released,started xx,xx');
  expect(await processesOf(first.job.deploymentId)).toEqual([]);

  await git.commit('disk', { 'server.js': 'process.exit(1)' }, 'Break it');
  const third = await world.deploy(project);
  expect(third.outcome).toMatchObject({ status: 'failed' });
  expect(third.log()).toContain('The version before is started again.');
  await expect.poll(async () => (await world.ask(project)).text).toContain('two: one,released,seed');
  await world.deploy(project, { rollbackOf: first.job.deploymentId });
  expect((await world.ask(project)).text).toBe('one: one,released,seed released,started xxx,xxx');

  await world.engine.stopApp(project.projectId);
  await world.engine.removeDisk(project.projectId, 'd1');
  expect(await world.engine.diskUse(project.projectId, 'd1')).toBeUndefined();
});

it('has the kernel hold a disk to its size, and takes a larger one up', async ({ skip }) => {
  const { limited, growsInUse } = world.engine.diskSupport();
  if (!limited) {
    const reason = world.engine.isolation().find(({ name }) => name === 'Disk')?.detail;
    console.warn(`skipped: ${reason}`);
    skip();
  }
  // Answers how many MB it could write, and what became of the next one.
  const fill = `if (request.url === '/') return response.end();
const { appendFileSync, statSync } = require('node:fs');
const file = process.env['NEPHOS_DISK_' + request.url.slice(1)] + '/filled';
let failure = 'written';
try {
  do appendFileSync(file, Buffer.alloc(1024 ** 2, 1), { flush: true });
  while (request.url === '/FULL');
} catch ({ code }) { failure = code; }
response.end(Math.floor(statSync(file).size / 1024 ** 2) + ' ' + failure);`;
  await git.createRepository('full', nodeApp(fill));
  const full = { id: 'full', name: 'full', path: '/data', size: 24 };
  const next = { id: 'next', name: 'next', path: 'next', size: 24 };
  const older = { id: 'older', name: 'older', path: '/older', size: 24 };
  const project = world.project(git.url('full'), { disks: [full, next, older] });
  const { projectId } = project;
  const folder = join(world.dataDir, 'apps/projects', projectId);
  // As a server made it that had no images.
  await mkdir(join(folder, 'disks/older'), { recursive: true });
  await writeFile(join(folder, 'disks/older/kept'), '');
  const { job, outcome } = await world.deploy(project);
  expect(outcome).toEqual({ status: 'running' });

  expect((await world.ask(project, '/FULL')).text).toMatch(/^2[456] ENOSPC$/);
  expect((await world.ask(project, '/NEXT')).text).toBe('1 written');
  const used = { bytes: expect.toSatisfy((bytes: number) => bytes >= 24 * MB), limited: true };
  expect(await world.engine.diskUse(projectId, 'full')).toEqual(used);
  expect(await world.engine.diskUse(projectId, 'older')).toMatchObject({ limited: false });
  expect(await readdir(join(folder, 'disks/older'))).toEqual(['kept']);
  // Commands and terminals have the same disk.
  const app = world.live.get(projectId) as DeployedApp;
  const command = { app, command: 'test -s "$NEPHOS_DATA/filled"', timeLimit: 10_000 };
  const log = { write() {}, system() {}, close: async () => {} };
  const { signal } = new AbortController();
  expect(await world.engine.commands.run(command, log, signal)).toMatchObject({ status: 'succeeded' });
  // Nobody else's code gets to the image, nor to the folder where it is not mounted.
  expect((await stat(join(folder, 'images'))).mode & 0o777).toBe(0o700);

  await world.engine.growDisk(projectId, { id: 'full', size: 40 });
  if (growsInUse) expect((await world.ask(project, '/FULL')).text).toMatch(/^4\d ENOSPC$/);
  await writeFile(join(folder, 'images/broken.ext4'), 'no file system');
  const broken = { id: 'broken', name: 'broken', path: '/broken', size: 24 };
  project.disks = [{ ...full, size: 40 }, next, older, broken];
  const rollback = { rollbackOf: job.deploymentId };
  expect((await world.deploy(project, rollback)).outcome).toEqual({
    ...{ status: 'failed', step: 'start' },
    error: expect.stringMatching(
      /^Start failed: the disk "broken" could not be mounted\. Its file system is damaged/,
    ),
  });
  await expect.poll(async () => (await world.ask(project, '/NEXT')).text).toBe('2 written');
  project.disks = [{ ...full, size: 40 }, next, older];
  await world.deploy(project, rollback);
  expect((await world.ask(project, '/FULL')).text).toMatch(/^4\d ENOSPC$/);

  expect(mountsBelow(folder)).toHaveLength(2);
  await world.engine.stopApp(projectId);
  await world.engine.removeDisk(projectId, 'full');
  expect(mountsBelow(folder)).toHaveLength(1);
  expect(await readdir(join(folder, 'images'))).toEqual(['broken.ext4', 'next.ext4']);
  await world.engine.removeProject(projectId);
  expect(mountsBelow(folder)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});

it('gives an app the time to stop that is set for it', async () => {
  const before = `process.on('SIGTERM', () => { setTimeout(() => { console.log('done'); process.exit(); }, 2500); });`;
  await git.createRepository('slow-stop', helloApp('x', { before }));
  const project = world.project(git.url('slow-stop'), settingsOf({ stopTimeout: 20 }));
  const { log } = await world.deploy(project);
  await world.engine.stopApp(project.projectId);
  expect(log()).toContain('done');
});
