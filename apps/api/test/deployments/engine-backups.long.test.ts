import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, statfs, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeployedApp } from '../../src/domains/deployments/engine/engine.ts';
import { type GitServer, startGitServer } from '../git-server.ts';
import { nodeApp } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from './engine-world.ts';
import { killUpdates } from './killed-updates.ts';

const DISKS = [
  { id: 'd1', name: 'kept', path: '/kept', size: 24 },
  { id: 'd2', name: 'older', path: '/older', size: 24 },
];

let git: GitServer;
let world: EngineWorld;

/** Writes down on each disk that it was started, and answers what is there. */
const app = (version: string, beforeListening = '') =>
  nodeApp(`response.end('${version}: ' + files.map((file) => String(fs.readFileSync(file))));`, {
    before: `const fs = require('node:fs');
const files = Object.keys(process.env).filter((name) => name.startsWith('NEPHOS_DISK_')).sort()
  .map((name) => process.env[name] + '/starts');
for (const file of files) fs.appendFileSync(file, '${version} ');
${beforeListening}`,
  });

beforeAll(async () => {
  git = await startGitServer();
  await git.createRepository('one', app('1'));
  await git.createRepository('two', app('2'));
  await git.createRepository('deaf', app('3', 'setInterval(() => {}, 1000); return;'));
  world = await createEngineWorld({ limits: { restartDelay: 20, crashes: 3 } });
});

afterAll(async () => {
  await world.close();
  await git.close();
});

const folderOf = ({ projectId }: TestProject, { dataDir } = world) =>
  join(dataDir, 'apps/projects', projectId);
const textOf = async (project: TestProject) => (await world.ask(project)).text;

/** With one disk as the machine makes it, and one that is a plain folder. */
async function running(change: Partial<TestProject> = {}): Promise<TestProject> {
  const project = world.project(git.url('one'), { disks: DISKS, ...change });
  await mkdir(join(folderOf(project), 'disks/d2'), { recursive: true });
  await symlink('/etc/passwd', join(folderOf(project), 'disks/d2/link'));
  const { outcome, log } = await world.deploy(project);
  expect(outcome, log()).toEqual({ status: 'running' });
  expect(await textOf(project)).toBe('1: 1 ,1 ');
  return project;
}

it('puts all disks back where an update is cancelled, and runs nothing beside it meanwhile', async () => {
  const project = await running();
  const liveBefore = world.live.get(project.projectId) as DeployedApp;
  const log = { write() {}, system() {}, close: async () => {} };
  const run = (command: string) =>
    world.engine.commands.run(
      { app: liveBefore, command, timeLimit: 30_000 },
      log,
      new AbortController().signal,
    );
  const cancelling = new AbortController();
  const beside = run('sleep 1000');
  const deaf = { ...project, repositoryUrl: git.url('deaf'), savesDisks: true };
  const update = world.deploy(deaf, { signal: cancelling.signal });
  const started = () => readFile(join(folderOf(project), 'disks/d2/starts'), 'utf8');
  await expect.poll(started).toBe('1 3 ');
  const during = await run('true');
  await world.engine.growDisk(project.projectId, { id: 'd1', size: 48 });
  expect((await readdir(join(folderOf(project), 'backups'))).length).toBe(1);
  cancelling.abort();
  const { outcome, log: written } = await update;
  expect(outcome, written()).toEqual({ status: 'cancelled' });
  expect(await beside).toEqual({ status: 'cancelled' });
  expect(during).toMatchObject({ error: 'The app is being updated. Try again in a few minutes.' });
  await expect.poll(() => textOf(project)).toBe('1: 1 1 ,1 1 ');
  expect((await lstat(join(folderOf(project), 'disks/d2/link'))).isSymbolicLink()).toBe(true);
  expect(existsSync(join(folderOf(project), 'backups'))).toBe(false);
  expect(await run('true')).toMatchObject({ status: 'succeeded' });
  if (!world.engine.diskSupport().limited) return;
  const { blocks, bsize } = await statfs(join(folderOf(project), 'disks/d1'));
  expect(blocks * bsize).toBeGreaterThan(48 * 1024 ** 2);
});

it('copies no disk while an app that was stopped still writes to it', async () => {
  const last = `process.on('SIGTERM', () => setInterval(() => {
  if (!fs.existsSync(files[1].replace('starts', 'go'))) return;
  for (const file of files) fs.appendFileSync(file, 'end ');
  process.exit();
}, 20));`;
  await git.createRepository('slow', app('1', last));
  const settings = { ...DETECTED_SETTINGS, stopTimeout: 60 };
  const project = await running({ repositoryUrl: git.url('slow'), settings });
  const stopped = world.engine.stopApp(project.projectId);
  const update = world.deploy({ ...project, repositoryUrl: git.url('two'), savesDisks: true });
  const logs = async () => (await readdir(join(folderOf(project), 'releases'))).map(world.logOf).join('');
  await expect.poll(logs).toContain('Waiting for the version before to end.');
  // Time in which a copy would begin.
  await wait(500);
  expect(await logs()).not.toContain('Backing up');
  await writeFile(join(folderOf(project), 'disks/d2/go'), '');
  const { outcome, log } = await update;
  await stopped;
  expect(outcome, log()).toEqual({ status: 'running' });
  expect(await textOf(project)).toBe('2: 1 end 2 ,1 end 2 ');
});

it('says where there is no room for a backup, and leaves the app as it was', async () => {
  const full = await createEngineWorld({ limits: { spareBytes: 2 ** 60 } });
  const project = full.project(git.url('one'), { disks: DISKS });
  await full.deploy(project);
  const update = { ...project, repositoryUrl: git.url('two'), savesDisks: true };
  const { outcome } = await full.deploy(update);
  expect(outcome).toEqual({
    ...{ status: 'failed', step: 'start' },
    error: expect.stringMatching(
      /^Start failed: the server has no room to back up the disk data\. It needs \S+ \wB, and 0 B can be used\. Ask an/,
    ),
  });
  await expect.poll(async () => (await full.ask(project)).text).toBe('1: 1 1 ,1 1 ');
  expect(existsSync(join(folderOf(project, full), 'backups'))).toBe(false);
  await full.close();
});

it('gives up a backup that takes too long, and leaves the app as it was', async () => {
  const slow = await createEngineWorld({ limits: { backupTime: 1 } });
  const project = slow.project(git.url('one'), { disks: DISKS });
  await slow.deploy(project);
  const { outcome } = await slow.deploy({ ...project, repositoryUrl: git.url('two'), savesDisks: true });
  expect(outcome).toEqual({
    ...{ status: 'failed', step: 'start' },
    error: expect.stringMatching(/^Start failed: backing up the disk data took more than /),
  });
  await expect.poll(async () => (await slow.ask(project)).text).toBe('1: 1 1 ,1 1 ');
  expect(existsSync(join(folderOf(project, slow), 'backups'))).toBe(false);
  await slow.close();
});

it('runs no app on a disk that is yet to be put back', async () => {
  const project = await running();
  const left = join(folderOf(project), 'backups/another');
  await mkdir(left, { recursive: true });
  // As of another runtime, which this one cannot put back.
  await writeFile(join(left, 'd1.volume'), '');
  const beside = await world.engine.commands.run(
    { app: world.live.get(project.projectId) as DeployedApp, command: 'true', timeLimit: 30_000 },
    { write() {}, system() {}, close: async () => {} },
    new AbortController().signal,
  );
  const { outcome } = await world.deploy(project);
  const error = expect.stringMatching(
    /^The disk data couldn't be put back as it was before an update.* set that back to docker or swarm,/,
  );
  expect(outcome).toEqual({ status: 'failed', step: 'start', error });
  expect(beside).toMatchObject({ status: 'failed', error });
  await expect
    .poll(() => world.crashes)
    .toContainEqual({
      deploymentId: expect.any(String),
      error,
    });
  await world.engine.removeProject(project.projectId);
  expect(existsSync(folderOf(project))).toBe(false);
});

it('puts back what a killed server was updating, and drops the copy of what is live', async () => {
  const [one, two] = ['one', 'two'].map((name) => ({ repositoryUrl: git.url(name) }));
  const { dataDir, live, backups } = await killUpdates({ env: {}, one: one ?? {}, two: two ?? {} });
  for (const folder of backups) {
    const [deploymentId = ''] = await readdir(folder);
    await writeFile(join(folder, deploymentId, 'cut.ext4.half'), 'half of one');
  }
  const next = await createEngineWorld({ dataDir, live });
  const ask = async (slug: string) => (await next.ask({ ...next.project(''), slug })).text;
  await expect.poll(() => ask('first')).toBe('1: 1 1 ');
  await expect.poll(() => ask('second')).toBe('2: 1 2 2 ');
  expect(backups.filter(existsSync)).toEqual([]);
  await next.close();
});
