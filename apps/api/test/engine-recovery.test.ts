import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readProcesses } from '../src/domains/deployments/engine/process/process-table.ts';
import type { DeployedApp } from '../src/domains/deployments/engine/seams.ts';
import { helloApp, staticSite } from './app-fixtures.ts';
import { createEngineWorld } from './engine-world.ts';
import { type GitServer, startGitServer } from './git-server.ts';

let git: GitServer;
let dataDir: string;

beforeAll(async () => {
  git = await startGitServer();
  dataDir = await mkdtemp(join(tmpdir(), 'nephos-engine-'));
  await chmod(dataDir, 0o711);
});

afterAll(async () => {
  await git.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** An engine in a process of its own, which the test kills. It sends what it did. */
function startHost(repositories: Record<string, string>): ChildProcess {
  const script = join(import.meta.dirname, 'fixtures/engine-host.ts');
  return spawn(process.execPath, [script, dataDir, JSON.stringify(repositories)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

it('brings its apps back after kill -9, and leaves nothing of a cut build', async () => {
  const before = `require('node:child_process').spawn('sleep', ['602'], { detached: true, stdio: 'ignore' }).unref();`;
  await git.createRepository('app', helloApp('back', { before }));
  await git.createRepository('site', staticSite('<h1>Back</h1>'));
  const packageJson = { scripts: { build: 'node -e "setInterval(()=>{},1000)"', start: 'node .' } };
  await git.createRepository('cut', helloApp('x', { packageJson }));
  const host = startHost({ app: git.url('app'), site: git.url('site'), cut: git.url('cut') });
  const [live] = (await once(host, 'message')) as [DeployedApp[]];
  const [instance] = new Set(
    (await readProcesses()).filter(({ parent }) => parent === host.pid).map((child) => child.instance),
  );
  const ofInstance = async () =>
    (await readProcesses()).filter((candidate) => candidate.instance === instance);
  // The app, its sleeper, and the build: npm and what it runs.
  expect(instance).toBeDefined();
  expect((await ofInstance()).length).toBeGreaterThanOrEqual(4);
  host.kill('SIGKILL');
  await once(host, 'exit');

  const second = await createEngineWorld({ dataDir, live: new Map(live.map((app) => [app.projectId, app])) });
  const bySlug = (slug: string) => ({ ...second.project(''), slug });
  await expect.poll(async () => (await second.ask(bySlug('app'))).text, { timeout: 10_000 }).toBe('back');
  expect((await second.ask(bySlug('site'))).text).toBe('<h1>Back</h1>');
  expect(second.recoveries).toEqual(
    live.filter(({ slug }) => slug === 'app').map(({ deploymentId }) => deploymentId),
  );
  expect(await ofInstance()).toHaveLength(2);
  const projects = join(dataDir, 'apps/projects');
  const releases = await Promise.all(
    (await readdir(projects)).map((id) => readdir(join(projects, id, 'releases'))),
  );
  expect(releases.flat().sort()).toEqual(live.map(({ deploymentId }) => deploymentId).sort());

  await second.engine.stop();
  expect(await ofInstance()).toEqual([]);
  await second.close();
});

it('says so when a release is gone', async () => {
  const app: DeployedApp = {
    ...{ deploymentId: 'gone', projectId: 'gone', slug: 'gone', account: 1 },
    ...{ healthPath: '', variables: {}, rollbackOf: null },
  };
  const world = await createEngineWorld({ live: new Map([['gone', app]]) });
  expect(world.crashes).toEqual([
    { deploymentId: 'gone', error: 'The app could not be started again: its release is gone.' },
  ]);
  await world.close();
});
