import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../git-server.ts';
import { helloApp, nodeApp, staticSite } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';
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

it('loses no request while versions change', async () => {
  const slow = (text: string) => nodeApp(`setTimeout(() => response.end(${JSON.stringify(text)}), 150);`);
  await git.createRepository('changing', slow('one'));
  const project = world.project(git.url('changing'));
  const first = await world.deploy(project);
  const answers: Promise<string>[] = [];
  const timer = setInterval(() => {
    answers.push(world.ask(project).then(({ status, text }) => `${status} ${text}`, String));
  }, 50);
  await git.commit('changing', slow('two'), 'Second');
  expect((await world.deploy(project)).outcome).toEqual({ status: 'running' });
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

it('starts a crashed app again, and gives up when it crashes on and on', async () => {
  await git.createRepository(
    'crashing',
    nodeApp('if (request.url === "/crash") process.exit(1); response.end("up");'),
  );
  const project = world.project(git.url('crashing'));
  const { job, log } = await world.deploy(project);
  const crash = async () => {
    await expect.poll(async () => (await world.ask(project)).text, { timeout: 5000 }).toBe('up');
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
