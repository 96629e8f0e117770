import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment, Project } from '@nephos/contracts';
import { createClient } from '@nephos/contracts/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentNode } from '../../../tools/process.mjs';
import {
  freePort,
  killGroup,
  processesLeft,
  processesOf,
  startServer,
} from '../../../tools/server-process.mjs';
import { type GitServer, startGitServer } from './git-server.ts';
import { cookieOf, PASSWORD } from './world.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const READY_MS = 30_000;
/** Within which the build of a killed server has to be under way again: alone, we need not wait for its lease. */
const RECOVERY_MS = 10_000;
const BUILD_SECONDS = 3;

let home: string;
let git: GitServer;
let settings: Record<string, string>;
let server: ReturnType<typeof startServer> | undefined;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'nephos-crash-'));
  chmodSync(home, 0o711);
  git = await startGitServer();
  settings = {
    PORT: String(await freePort()),
    DATA_DIR: join(home, 'data'),
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    ALLOW_PRIVATE_REPOSITORIES: '1',
  };
});

afterEach(async () => {
  if (server) killGroup(server);
  for (const { pid } of processesOf(home)) process.kill(pid, 'SIGKILL');
  await processesLeft(home, 10_000);
  await git.close();
  rmSync(home, { recursive: true, force: true });
});

async function start() {
  server = startServer({ command: [currentNode(), MAIN], cwd: home, settings });
  await server.ready(READY_MS);
  return server;
}

async function signUp() {
  const url = `http://127.0.0.1:${settings.PORT}`;
  const response = await fetch(`${url}/api/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
  });
  expect(response.status).toBe(201);
  return createClient({ url, headers: () => ({ cookie: cookieOf(response.headers) }) });
}

function askApp({ slug }: Project): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: `${slug}.localhost:${settings.PORT}` };
    request({ host: '127.0.0.1', port: settings.PORT, headers }, async (response) => {
      resolve(Buffer.concat(await response.toArray()).toString());
    })
      .on('error', reject)
      .end();
  });
}

/** An app that says its version, and whose build takes a while. */
function appOf(version: string, buildSeconds: number) {
  const scripts = {
    build: `node -e "setTimeout(() => {}, ${buildSeconds * 1000})"`,
    start: 'node server.js',
  };
  return {
    'package.json': JSON.stringify({ name: 'app', scripts }),
    'server.js': `require('http').createServer((_, reply) => reply.end('${version}')).listen(process.env.PORT);`,
  };
}

test('after kill -9 in mid-build, the app answers again and the build comes to its end', {
  timeout: 120_000,
}, async () => {
  const killed = await start();
  const client = await signUp();
  await git.createRepository('app', appOf('one', 0));
  const project = await client.projects.create.mutate({ name: 'App', repositoryUrl: git.url('app') });
  const newest = async (): Promise<Deployment | undefined> =>
    (await client.deployments.list.query({ id: project.id }))[0];
  await expect.poll(async () => (await newest())?.status, { timeout: READY_MS }).toBe('running');

  await git.commit('app', appOf('two', BUILD_SECONDS), 'Second');
  const { id } = await client.deployments.create.mutate({ id: project.id });
  await expect.poll(async () => (await newest())?.step, { timeout: READY_MS, interval: 50 }).toBe('build');
  process.kill(killed.pid, 'SIGKILL');
  await killed.exited;

  await start();
  await expect.poll(() => askApp(project), { timeout: 10_000 }).toBe('one');
  const timeout = RECOVERY_MS + BUILD_SECONDS * 1000;
  await expect.poll(async () => (await newest())?.status, { timeout }).toBe('running');
  expect(await newest()).toMatchObject({ id, error: null });
  expect(await askApp(project)).toBe('two');
});
