import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../git-server.ts';
import { helloApp } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';
import { holdsProcesses } from './holds-processes.ts';
import { escapee, pidsOf, processesOf, uniqueSleep } from './running-processes.ts';

let git: GitServer;
let world: EngineWorld;

beforeAll(async () => {
  git = await startGitServer();
  world = await createEngineWorld();
});

afterAll(async () => {
  await world.close();
  await git.close();
});

it.runIf(holdsProcesses)(
  'ends with a build what got away from it, and leaves the live app alone',
  async () => {
    const [ofApp, ofBuild, ofFailure] = [uniqueSleep(), uniqueSleep(), uniqueSleep()];
    await git.createRepository('twice', helloApp('one', { before: escapee(ofApp) }));
    const project = world.project(git.url('twice'));
    const first = await world.deploy(project);
    expect(first.outcome, first.log()).toEqual({ status: 'running' });
    const [appPid] = (await processesOf(first.job.deploymentId)).map(({ pid }) => pid);
    const [escaped] = await pidsOf(ofApp);
    expect(escaped).toBeDefined();

    const fails = { 'build.js': `${escapee(ofFailure)} process.exit(1);` };
    const packageJson = { scripts: { build: 'node build.js', start: 'node server.js' } };
    await git.commit('twice', { ...helloApp('two', { packageJson }), ...fails }, 'Fail');
    expect((await world.deploy(project)).outcome).toMatchObject({ status: 'failed', step: 'build' });
    expect(await pidsOf(ofFailure)).toEqual([]);

    const builds = { 'build.js': escapee(ofBuild) };
    await git.commit('twice', { ...helloApp('two', { packageJson }), ...builds }, 'Build');
    const second = await world.deploy(project, {
      onSwitch: async () => {
        expect((await processesOf(first.job.deploymentId)).map(({ pid }) => pid)).toContain(appPid);
        expect(await pidsOf(ofApp)).toEqual([escaped]);
        expect(await pidsOf(ofBuild)).toEqual([]);
      },
    });
    expect(second.outcome, second.log()).toEqual({ status: 'running' });
    // The old version is drained, and what it left behind goes with it.
    await expect.poll(() => pidsOf(ofApp)).toEqual([]);
    expect((await world.ask(project)).text).toBe('two');
  },
);

it.runIf(holdsProcesses)('neither counts nor ends what says that it is of another project', async () => {
  await git.createRepository('victim', helloApp('victim'));
  const victim = world.project(git.url('victim'));
  const { job } = await world.deploy(victim);
  const instance = await readFile(`${world.dataDir}/apps/instance`, 'utf8');
  const sleep = uniqueSleep();
  const marks = { NEPHOS_DEPLOYMENT: job.deploymentId, NEPHOS_INSTANCE: instance };
  await git.createRepository('forger', helloApp('forger', { before: escapee(sleep, marks) }));
  const forger = world.project(git.url('forger'));
  await world.deploy(forger);
  const forged = await pidsOf(sleep);
  expect(forged).toHaveLength(1);
  await world.engine.stopApp(victim.projectId);
  expect(await pidsOf(sleep)).toEqual(forged);
  await world.engine.stopApp(forger.projectId);
  expect(await pidsOf(sleep)).toEqual([]);
});
