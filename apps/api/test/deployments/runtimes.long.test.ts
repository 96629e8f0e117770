import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DETECTED_SETTINGS, type RunSettings } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { type DockerDaemon, hasDocker, startDockerDaemon } from '../docker-daemon.ts';
import { startSwarm, type TestSwarm } from '../docker-swarm.ts';
import { type GitServer, startGitServer } from '../git-server.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from './engine-world.ts';

/** What apps can expect of every runtime: the same texts, deployed as a repository or as an image, do the same. */

const runsDocker = requireTool('dockerd') && hasDocker();

const LIMITS = {
  restartDelay: 20,
  crashes: 3,
  workerTime: 500,
  listenTime: 4000,
  portTime: 200,
  keptReleases: 2,
};

interface Deployer {
  world: EngineWorld;
  /** Makes, or changes, what a project is deployed from. */
  source(name: string, files: Record<string, string>): Promise<Partial<TestProject>>;
  /** Names of Docker's volumes. */
  volumes(): Promise<string[]>;
  close(): Promise<void>;
}

const RUNTIMES: [name: string, isHere: boolean, begin: () => Promise<Deployer>][] = [
  ['process', true, beginProcesses],
  ['docker', runsDocker, beginContainers],
  ['swarm', runsDocker && requireTool('ip'), beginServices],
];

async function beginProcesses(): Promise<Deployer> {
  const git: GitServer = await startGitServer();
  const world = await createEngineWorld({ limits: LIMITS });
  const known = new Set<string>();
  return {
    world,
    async source(name, files) {
      const packageJson = JSON.stringify({ name: 'app', scripts: { start: 'node server.js' } });
      const all = { 'package.json': packageJson, ...files };
      if (known.has(name)) await git.commit(name, all, 'Change it');
      else await git.createRepository(name, all);
      known.add(name);
      return { repositoryUrl: git.url(name) };
    },
    volumes: async () => [],
    async close() {
      await world.close();
      await git.close();
    },
  };
}

async function beginContainers(): Promise<Deployer> {
  const daemon: DockerDaemon = await startDockerDaemon();
  const env = { DEPLOY_RUNTIME: 'docker', DOCKER_HOST: daemon.host };
  const world = await createEngineWorld({ limits: LIMITS, env });
  return {
    world,
    async source(name, files) {
      return { image: { reference: await daemon.addImage(name, files), credentials: null } };
    },
    volumes: () => volumesOf(daemon.docker),
    async close() {
      await world.close();
      await daemon.close();
    },
  };
}

async function beginServices(): Promise<Deployer> {
  const swarm: TestSwarm = await startSwarm(1);
  const env = { DEPLOY_RUNTIME: 'swarm', DOCKER_HOST: swarm.hosts[0] };
  const world = await createEngineWorld({ limits: LIMITS, env });
  return {
    world,
    async source(name, files) {
      return { image: { reference: await swarm.addImage(name, files), credentials: null } };
    },
    volumes: () => volumesOf(swarm.dockers[0]),
    async close() {
      await world.close();
      await swarm.close();
    },
  };
}

async function volumesOf(docker: DockerDaemon['docker'] | undefined): Promise<string[]> {
  const { Volumes = [] } = (await docker?.listVolumes()) ?? {};
  return Volumes.map(({ Name }) => Name);
}

/** Tells what it is and was given, and does what it is told. */
const app = (version: string) => ({
  'server.js': `const fs = require('node:fs');
const file = (process.env.NEPHOS_DATA ?? '.') + '/kept';
console.log('version ${version} begins');
require('node:http').createServer((request, response) => {
  const [what] = request.url.slice(1).split('?');
  if (what === 'crash') { console.error('about to crash'); process.exit(3); }
  if (what === 'eat') { const eaten = []; for (;;) eaten.push(Buffer.alloc(10 * 1024 ** 2, 1)); }
  if (what === 'keep') {
    fs.writeFileSync(file, '${version}', { mode: 0o640 });
    fs.linkSync(file, file + '-linked');
    fs.symlinkSync('/etc/passwd', file + '-led');
    try { fs.chownSync(file, 1234, 4321); } catch {}
  }
  if (what === 'look') {
    const data = process.env.NEPHOS_DATA;
    const look = (name) => {
      const { mode, uid, gid, nlink } = fs.lstatSync(data + '/' + name);
      return [name, mode, uid, gid, nlink];
    };
    return response.end(JSON.stringify(['.', ...fs.readdirSync(data).sort()].map(look)));
  }
  const kept = fs.existsSync(file) ? String(fs.readFileSync(file)) : '';
  response.end(JSON.stringify({ version: '${version}', greeting: process.env.GREETING, kept }));
}).listen(process.env.PORT, process.env.HOST);`,
  'worker.js': `console.log('worker of ${version}, port ' + process.env.PORT); setInterval(() => {}, 1000);`,
  'ruins.js': `const fs = require('node:fs');
const file = process.env.NEPHOS_DATA + '/kept';
fs.writeFileSync(file, 'ruined');
fs.rmSync(file + '-linked');
fs.writeFileSync(file + '-more', '');
process.exit(4);`,
  'breaks.js': `console.error('cannot begin'); process.exit(4);`,
});

type Process = Partial<RunSettings['processes'][number]> & { name: string };

function settingsOf(change: Partial<Omit<RunSettings, 'processes'>>, ...processes: Process[]): RunSettings {
  const none = { command: '', instances: null, memory: null, cpu: null, tasks: null };
  const all = processes.map((process) => ({ ...none, ...process }));
  return { ...DETECTED_SETTINGS, ...change, processes: all };
}

describe.each(RUNTIMES)('the %s runtime', (_, isHere, begin) => {
  let deployer: Deployer;
  let world: EngineWorld;

  beforeAll(async () => {
    if (!isHere) return;
    deployer = await begin();
    world = deployer.world;
  });

  afterAll(() => deployer?.close());

  const it = test.skipIf(!isHere);

  async function running(name: string, change: Partial<TestProject> = {}): Promise<TestProject> {
    const project = world.project('', { ...(await deployer.source(name, app('one'))), ...change });
    const { outcome, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    return project;
  }
  const answer = async (project: TestProject, path = '/') =>
    JSON.parse((await world.ask(project, path)).text);
  const statesOf = ({ projectId }: TestProject) =>
    world.engine
      .processes(projectId)
      .map(({ process, instance, state }) => `${process} ${instance} ${state}`);
  const liveOf = ({ projectId }: TestProject) => {
    const live = world.live.get(projectId);
    if (!live) throw new Error('nothing is live');
    return live;
  };

  it('starts a version beside the one before, goes back to that, and stops', async () => {
    const project = world.project('', {
      ...(await deployer.source('versions', app('one'))),
      variables: { GREETING: 'hello' },
      settings: settingsOf({}, { name: 'worker', command: 'node worker.js', instances: 2 }),
    });
    const first = await world.deploy(project);
    expect(first.outcome, first.log()).toEqual({ status: 'running' });
    expect(await answer(project)).toEqual({ version: 'one', greeting: 'hello', kept: '' });
    await expect.poll(first.log).toMatch(/version one begins/);
    await expect.poll(() => first.log().match(/worker of one, port undefined/g)?.length).toBe(2);
    expect(statesOf(project)).toEqual(['web 1 running', 'worker 1 running', 'worker 2 running']);

    Object.assign(project, await deployer.source('versions', app('two')));
    const second = await world.deploy(project);
    expect(second.outcome, second.log()).toEqual({ status: 'running' });
    expect(await answer(project)).toMatchObject({ version: 'two' });
    const back = await world.deploy(project, { rollbackOf: first.job.deploymentId });
    expect(back.outcome, back.log()).toEqual({ status: 'running' });
    expect(await answer(project)).toMatchObject({ version: 'one' });

    await world.engine.stopApp(project.projectId);
    expect((await world.ask(project)).status).toBeGreaterThanOrEqual(400);
    await world.engine.removeProject(project.projectId);
  });

  it('leaves the version before where a new one does not start', async () => {
    const project = await running('failing');
    const broken = { ...project, settings: settingsOf({ startCommand: 'node breaks.js' }) };
    const { outcome, log } = await world.deploy(broken);
    expect(outcome).toEqual({
      ...{ status: 'failed', step: 'start' },
      error: 'Start failed: node breaks.js exited with code 4. See the log for details.',
    });
    expect(log()).toContain('cannot begin');
    const deaf = { ...project, settings: settingsOf({ startCommand: 'node worker.js' }) };
    expect((await world.deploy(deaf)).outcome).toMatchObject({ step: 'start', status: 'failed' });
    expect(await answer(project)).toMatchObject({ version: 'one' });
    const released = { ...project, settings: settingsOf({ releaseCommand: 'node breaks.js' }) };
    expect((await world.deploy(released)).outcome).toMatchObject({ step: 'release', status: 'failed' });
    expect(await answer(project)).toMatchObject({ version: 'one' });
  });

  it('starts an app again that crashed, and gives up where that goes on', async () => {
    const project = await running('crashing');
    const { deploymentId } = liveOf(project);
    await world.ask(project, '/crash');
    await expect.poll(() => world.recoveries).toContain(deploymentId);
    expect(await answer(project)).toMatchObject({ version: 'one' });
    const crashed = world.changes.find((change) => change.deploymentId === deploymentId && change.exit);
    expect(crashed).toMatchObject({ state: 'crashed', reason: 'exited with code 3', exit: { code: 3 } });
    await expect
      .poll(async () => {
        await world.ask(project, '/crash');
        return world.crashes.map((crash) => crash.deploymentId);
      })
      .toContain(deploymentId);
    expect(statesOf(project)).toEqual(['web 1 failed']);
  });

  it('keeps a disk over versions, which one of them has at a time', async () => {
    const disks = [{ id: `disk-${Date.now()}`, name: 'data', path: '/data', size: 64 }];
    const project = await running('keeping', { disks });
    await world.ask(project, '/keep');
    Object.assign(project, await deployer.source('keeping', app('two')));
    const { outcome, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    expect(log()).toContain('The app has a disk');
    expect(await answer(project)).toMatchObject({ version: 'two', kept: 'one' });
    const [disk] = disks;
    expect((await world.engine.diskUse(project.projectId, disk?.id ?? ''))?.bytes).toBeGreaterThan(0);
    await world.engine.stopApp(project.projectId);
    await world.engine.removeDisk(project.projectId, disk?.id ?? '');
    expect(await world.engine.diskUse(project.projectId, disk?.id ?? '')).toBeUndefined();
  });

  it('has a disk as it was before an update that fails, and leaves no copy of it', async () => {
    const id = `disk-${Date.now()}`;
    const disks = [{ id, name: 'data', path: '/data', size: 64 }];
    const project = await running('updating', { disks });
    await world.ask(project, '/keep');
    const before = await answer(project, '/look');
    const settings = settingsOf({ startCommand: 'node ruins.js' });
    const failed = await world.deploy({ ...project, savesDisks: true, settings });
    expect(failed.outcome, failed.log()).toMatchObject({ status: 'failed', step: 'start' });
    expect(failed.log()).toMatch(/^Backing up the disk data \(\S+ \wB\)\.$/m);
    expect(failed.log()).toMatch(
      /^The disk data is as it was before\.\nThe version before is started again\.$/m,
    );
    await expect.poll(async () => (await world.ask(project)).status).toBe(200);
    expect(await answer(project, '/look')).toEqual(before);
    expect(await answer(project)).toMatchObject({ version: 'one', kept: 'one' });

    Object.assign(project, await deployer.source('updating', app('two')));
    const updated = await world.deploy({ ...project, savesDisks: true });
    expect(updated.outcome, updated.log()).toEqual({ status: 'running' });
    expect(await answer(project)).toMatchObject({ version: 'two', kept: 'one' });
    const left = join(world.dataDir, 'apps/projects', project.projectId, 'backups');
    expect(existsSync(left)).toBe(false);
    expect((await deployer.volumes()).filter((name) => name.includes('backup'))).toEqual([]);
    await world.engine.removeProject(project.projectId);
    expect((await deployer.volumes()).filter((name) => name.includes(id))).toEqual([]);
  });

  it('runs commands and a terminal beside the app, with what the app has', async () => {
    const disks = [{ id: `disk-${Date.now()}`, name: 'data', path: '/data', size: 64 }];
    const project = await running('commanded', { variables: { GREETING: 'hi' }, disks });
    await world.ask(project, '/keep');
    let text = '';
    const log = {
      write: (_: string, more: string) => {
        text += more;
      },
      system: () => {},
      close: async () => {},
    };
    const run = (command: string, timeLimit = 30_000, signal = new AbortController().signal) =>
      world.engine.commands.run({ app: liveOf(project), command, timeLimit }, log, signal);
    expect(await run('echo "$GREETING $(cat $NEPHOS_DATA/kept)"; exit 3')).toEqual({
      ...{ status: 'failed', exitCode: 3, error: 'The command exited with code 3.' },
    });
    expect(text).toBe('hi one\n');
    expect(await run('node -p 1')).toEqual({ status: 'succeeded', exitCode: 0 });
    expect(await run('sleep 60', 500)).toMatchObject({ status: 'timed-out' });
    // A signal of a timeout may be collected as garbage before others heed it.
    const cancelling = new AbortController();
    setTimeout(() => cancelling.abort(), 500);
    expect(await run('sleep 60', 30_000, cancelling.signal)).toEqual({ status: 'cancelled' });

    const shell = await world.engine.commands.openShell(liveOf(project), { cols: 80, rows: 24 });
    let shown = '';
    shell.output.on('data', (data) => {
      shown += data;
    });
    shell.resize({ cols: 91, rows: 24 });
    shell.write('stty size; echo "$GREETING-$((40 + 2))"\n');
    await expect.poll(() => shown).toContain('hi-42');
    expect(shown).toContain('24 91');
    shell.write('exit\n');
    expect(await shell.ended).toBe('The session has ended.');
  });

  it('says that an app ran out of memory, and counts what it uses', async () => {
    const settings = settingsOf({}, { name: 'web', memory: 128 });
    const project = await running('eating', { settings });
    const ofProject = () =>
      world.figures.collect().filter(({ projectId }) => projectId === project.projectId);
    await expect
      .poll(() => Math.max(0, ...ofProject().map(({ memoryMax }) => memoryMax)))
      .toBeGreaterThan(1e6);
    await world.ask(project, '/eat').catch(() => {});
    const reasons = () =>
      world.changes
        .filter(({ projectId, exit }) => projectId === project.projectId && exit)
        .map(({ reason }) => reason);
    await expect.poll(reasons).toContainEqual(expect.stringMatching(/memory/));
    await expect.poll(() => statesOf(project)).toEqual(['web 1 running']);
  });
});
