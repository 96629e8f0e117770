import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import { isReachable } from '@nephos/db';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeployedApp } from '../../src/domains/deployments/engine/engine.ts';
import { findPrograms } from '../../src/domains/deployments/engine/process/find-program.ts';
import { type GitServer, startGitServer } from '../git-server.ts';
import { helloApp, staticSite } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';
import { holdsProcesses } from './holds-processes.ts';
import { mountsBelow } from './mounts-below.ts';
import { escapee, pidsOf, processesOf, uniqueSleep } from './running-processes.ts';

/** The account `nobody`, as somebody who is not root. */
const NOBODY = 65_534;
const FIXTURE = join(import.meta.dirname, 'fixtures/engine-host.ts');

let git: GitServer;
/** What the repositories leave running that has neither our environment nor our session: of an app and two builds. */
const ofApp = uniqueSleep();
const ofBuild = uniqueSleep();
const ofCutBuild = uniqueSleep();
const dataDirs: string[] = [];

beforeAll(async () => {
  git = await startGitServer();
  const packageJson = { scripts: { build: 'node build.js', start: 'node server.js' } };
  const mark = "require('node:fs').appendFileSync('kept/starts', 'x');";
  const before = `${mark}${holdsProcesses ? escapee(ofApp) : ''}`;
  const app = helloApp('back', { before, packageJson });
  await git.createRepository('app', { ...app, 'build.js': holdsProcesses ? escapee(ofBuild) : '' });
  await git.createRepository('site', staticSite('<h1>Back</h1>'));
  const endless = `${holdsProcesses ? escapee(ofCutBuild) : ''} setInterval(() => {}, 1000);`;
  await git.createRepository('cut', { ...helloApp('x', { packageJson }), 'build.js': endless });
});

afterAll(async () => {
  await git.close();
  await Promise.all(dataDirs.map((dataDir) => rm(dataDir, { recursive: true, force: true })));
});

/** An engine in a process of its own, which the test kills, with its live apps. */
async function startHost(
  uid?: number,
): Promise<{ host: ChildProcess; dataDir: string; live: DeployedApp[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nephos-engine-'));
  dataDirs.push(dataDir);
  await chmod(dataDir, 0o711);
  if (uid) await chown(dataDir, uid, uid);
  const repositories = { app: git.url('app'), site: git.url('site'), cut: git.url('cut') };
  const host = spawn(process.execPath, [FIXTURE, dataDir, JSON.stringify(repositories)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...(uid && { uid, gid: uid }),
  });
  const [live] = (await once(host, 'message')) as [DeployedApp[]];
  return { host, dataDir, live };
}

async function kill(host: ChildProcess): Promise<void> {
  host.kill('SIGKILL');
  await once(host, 'exit');
}

const idOf = (live: DeployedApp[], slug: string) => live.find((app) => app.slug === slug)?.deploymentId ?? '';

it('brings its apps back after kill -9, and leaves nothing of a cut build', async () => {
  const { host, dataDir, live } = await startHost();
  expect(await pidsOf(ofBuild)).toEqual([]);
  const pids = async () => {
    const ofLive = (await processesOf(idOf(live, 'app'))).map(({ pid }) => pid);
    return [ofLive, ...(holdsProcesses ? [await pidsOf(ofApp), await pidsOf(ofCutBuild)] : [])];
  };
  await expect.poll(async () => (await pids()).map(({ length }) => length > 0)).not.toContain(false);
  const left = (await pids()).flat();
  await kill(host);
  const { projectId = '' } = live.find(({ slug }) => slug === 'app') ?? {};
  const folder = join(dataDir, 'apps/projects', projectId);
  const mounts = mountsBelow(folder);
  if (mounts.length > 0) await writeFile(join(folder, 'images/cut.ext4.new'), '');

  const second = await createEngineWorld({ dataDir, live: new Map(live.map((app) => [app.projectId, app])) });
  expect((await pids()).flat().filter((pid) => left.includes(pid))).toEqual([]);
  const bySlug = (slug: string) => ({ ...second.project(''), slug });
  await expect.poll(async () => (await second.ask(bySlug('app'))).text).toBe('back');
  expect((await second.ask(bySlug('site'))).text).toBe('<h1>Back</h1>');
  expect(second.recoveries).toEqual([idOf(live, 'app')]);
  const projects = join(dataDir, 'apps/projects');
  const releases = await Promise.all(
    (await readdir(projects)).map((id) => readdir(join(projects, id, 'releases'))),
  );
  expect(releases.flat().sort()).toEqual(live.map(({ deploymentId }) => deploymentId).sort());

  expect(await readFile(join(folder, 'disks/kept/starts'), 'utf8')).toBe('xx');
  expect(mountsBelow(folder)).toEqual(mounts);
  expect(mounts).toHaveLength(second.engine.diskSupport().limited ? 1 : 0);
  expect(await readdir(join(folder, 'images')).catch(() => [])).toHaveLength(mounts.length);

  await second.engine.stop();
  expect(mountsBelow(folder)).toEqual([]);
  expect(await processesOf(idOf(live, 'app'))).toEqual([]);
  expect(await pidsOf(ofApp)).toEqual([]);
  expect(await readdir(join(dataDir, 'apps/runs')).catch(() => [])).toEqual([]);
  if (mounts.length > 0) await comesBackLater(second, projectId);
  await second.close();
});

/** One whose disk cannot be mounted at a start waits for that, says so, and comes back by itself. */
async function comesBackLater({ dataDir, live }: EngineWorld, projectId: string): Promise<void> {
  const image = join(dataDir, 'apps/projects', projectId, 'images/kept.ext4');
  await rename(image, `${image}.aside`);
  await writeFile(image, 'no file system');
  // A crash would be the end of it.
  const third = await createEngineWorld({ dataDir, live, limits: { crashes: 1 } });
  const status = () => third.engine.processes(projectId).map(({ state, reason }) => ({ state, reason }));
  const reason = expect.stringMatching(/^waits for the disk "kept", which could not be mounted \(Its file/);
  await expect.poll(status).toEqual([{ state: 'crashed', reason }]);
  expect((await third.ask({ ...third.project(''), slug: 'app' })).status).toBe(503);
  expect(third.crashes).toEqual([]);
  await rename(`${image}.aside`, image);
  await expect.poll(status).toEqual([{ state: 'running', reason: '' }]);
  expect(await readFile(join(dataDir, 'apps/projects', projectId, 'disks/kept/starts'), 'utf8')).toBe('xxx');
  await third.engine.stop();
  await third.close();
}

const [unshare = 'unshare'] = findPrograms('unshare', process.env.PATH ?? '');
/** Whether the account can enter a namespace here, tried without our own code. */
const allowsNobody =
  process.getuid?.() === 0 &&
  isReachable(import.meta.dirname) &&
  spawnSync(
    unshare,
    ['--user', '--map-current-user', '--pid', '--mount-proc', '--fork', 'readlink', '/proc/self'],
    { uid: NOBODY, gid: NOBODY, cwd: '/', encoding: 'utf8' },
  ).stdout?.trim() === '1';
if (!allowsNobody) console.warn('skipped in part: the account nobody cannot enter a user namespace here');

it.runIf(allowsNobody)(
  'holds what its apps start where it is not root, and takes it along when it dies',
  async () => {
    const { host, live } = await startHost(NOBODY);
    const pids = async () => {
      const ofLive = (await processesOf(idOf(live, 'app'))).map(({ pid }) => pid);
      return [ofLive, await pidsOf(ofApp), await pidsOf(ofCutBuild)];
    };
    await expect.poll(async () => (await pids()).map(({ length }) => length > 0)).not.toContain(false);
    expect(await pidsOf(ofBuild)).toEqual([]);
    await kill(host);
    await expect.poll(async () => (await pids()).flat()).toEqual([]);
  },
);

it('says so when a release is gone', async () => {
  const app: DeployedApp = {
    ...{ deploymentId: 'gone', projectId: 'gone', slug: 'gone', account: 1 },
    ...{ healthPath: '', settings: DETECTED_SETTINGS, variables: {}, disks: [], rollbackOf: null },
  };
  const world = await createEngineWorld({ live: new Map([['gone', app]]) });
  expect(world.crashes).toEqual([
    {
      deploymentId: 'gone',
      error: "The app couldn't be brought back after a server restart. Deploy it again.",
    },
  ]);
  await world.close();
});
