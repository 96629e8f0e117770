import { request } from 'node:http';
import type { Deployment, Project } from '@nephos/contracts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GitServer, startGitServer } from '../git-server.ts';
import { createKillableServer, type KillableServer, READY_MS } from '../killable-server.ts';

/** Within which the build of a killed server has to be under way again: alone, we need not wait for its lease. */
const RECOVERY_MS = 10_000;
const BUILD_SECONDS = 3;

let git: GitServer;
let server: KillableServer;

beforeEach(async () => {
  git = await startGitServer();
  server = await createKillableServer();
});

afterEach(async () => {
  await server.close();
  await git.close();
});

function askApp({ slug }: Project): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: `${slug}.localhost:${server.port}` };
    request({ host: '127.0.0.1', port: server.port, headers }, async (response) => {
      resolve(Buffer.concat(await response.toArray()).toString());
    })
      .on('error', reject)
      .end();
  });
}

/** An app that says its version, and whose build and start take a while. */
function appOf(version: string, { buildSeconds = 0, startSeconds = 0 } = {}) {
  const scripts = {
    build: `node -e "setTimeout(() => {}, ${buildSeconds * 1000})"`,
    start: 'node server.js',
  };
  return {
    'package.json': JSON.stringify({ name: 'app', scripts }),
    'server.js': `setTimeout(() =>
require('http').createServer((_, reply) => reply.end('${version}')).listen(process.env.PORT), ${startSeconds * 1000});`,
  };
}

test('after kill -9, apps and what was under way with them are as they should be', {
  timeout: 240_000,
}, async () => {
  await server.start();
  const client = await server.signUp();
  await git.createRepository('app', appOf('one'));
  const project = await client.projects.create.mutate({ name: 'App', repositoryUrl: git.url('app') });
  const newest = async (): Promise<Deployment | undefined> =>
    (await client.deployments.list.query({ id: project.id }))[0];
  await expect.poll(async () => (await newest())?.status, { timeout: READY_MS }).toBe('running');

  await git.commit('app', appOf('two', { buildSeconds: BUILD_SECONDS, startSeconds: 1 }), 'Second');
  const { id } = await client.deployments.create.mutate({ id: project.id });
  await expect.poll(async () => (await newest())?.step, { timeout: READY_MS, interval: 50 }).toBe('build');
  await server.kill();

  await server.start();
  await expect.poll(() => askApp(project)).toBe('one');
  const timeout = RECOVERY_MS + READY_MS;
  await expect.poll(async () => (await newest())?.status, { timeout }).toBe('running');
  expect(await newest()).toMatchObject({ id, error: null });
  expect(await askApp(project)).toBe('two');

  // A restart that was cut short comes to its end.
  const restart = await client.deployments.restartApp.mutate({ id: project.id });
  await expect.poll(async () => (await newest())?.step, { timeout: READY_MS, interval: 20 }).toBe('start');
  await server.kill();
  await server.start();
  await expect.poll(async () => (await newest())?.live, { timeout: READY_MS }).toBe(true);
  expect(await newest()).toMatchObject({ id: restart.id, kind: 'restart', status: 'running' });
  await expect.poll(() => askApp(project)).toBe('two');

  // What was stopped at the very end stays so, until it is started.
  await client.deployments.stopApp.mutate({ id: project.id });
  await server.kill();
  await server.start();
  expect(await askApp(project)).toContain('<h1>Stopped</h1>');
  expect(await client.projects.get.query({ id: project.id })).toMatchObject({ state: 'stopped' });
  await client.deployments.startApp.mutate({ id: project.id });
  await expect.poll(() => askApp(project), { timeout: READY_MS }).toBe('two');
});
