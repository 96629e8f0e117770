// The promise of the README, kept: clone, one command, sign up, deploy an app from Git, open it, stop; and an image's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root, say } from './process.mjs';
import { freePort, killGroup, processesLeft, processesOf, startServer } from './server-process.mjs';

const INSTALL_MS = 8 * 60_000;
const DEPLOY_MS = 120_000;
const STOP_MS = 10_000;
const SIGN_UP = {
  email: 'ada@example.com',
  password: 'a long enough secret',
  firstName: 'Ada',
  lastName: 'Byron',
};
const GREETING = 'Hello from a fresh clone';

const home = mkdtempSync(join(tmpdir(), 'nephos-smoke-'));
chmodSync(home, 0o711);
const clone = join(home, 'nephos');
const settings = {
  PORT: String(await freePort()),
  DATA_DIR: join(home, 'data'),
  ALLOW_PRIVATE_REPOSITORIES: '1',
};
let server;

try {
  git(home, 'clone', '--quiet', root, clone);
  server = start();
  const first = await server.ready(INSTALL_MS);
  say(`smoke: first start, with install and build: ready after ${first.ms} ms`);
  await deployAndOpen(first.url);
  await stop();

  server = start();
  const second = await server.ready(INSTALL_MS);
  assert.doesNotMatch(
    server.said.stderr,
    /Installing|Building/,
    'a second start installs and builds nothing',
  );
  say(`smoke: second start: ready after ${second.ms} ms`);
  await stop();

  installAsAnImage();
  server = start();
  const third = await server.ready(INSTALL_MS);
  assert.doesNotMatch(server.said.stderr, /Installing|Building/, 'an image installs and builds nothing');
  say(`smoke: start with the packages of an image: ready after ${third.ms} ms`);
  await stop();
  say('smoke: passed');
} catch (error) {
  say(`smoke: FAILED\n${server?.said.stderr ?? ''}`);
  throw error;
} finally {
  if (server) killGroup(server);
  for (const { pid } of processesOf(home)) process.kill(pid, 'SIGKILL');
  rmSync(home, { recursive: true, force: true });
}

function start() {
  return startServer({ command: ['npm', 'start'], cwd: clone, settings });
}

/** As the Dockerfile does it: the web app stays as it is built, with the stamp that says of which sources. */
function installAsAnImage() {
  const packages = join(clone, 'node_modules');
  const stamp = join(packages, '.nephos-built');
  const built = readFileSync(stamp);
  const members = ['apps/api', 'apps/web', 'packages/contracts', 'packages/db'];
  for (const folder of [packages, ...members.map((member) => join(clone, member, 'node_modules'))])
    rmSync(folder, { recursive: true, force: true });
  mkdirSync(packages);
  writeFileSync(stamp, built);
  execFileSync('node', ['tools/run.mjs', 'prepare', '--production'], { cwd: clone, stdio: 'inherit' });
}

/** As a supervisor does it: SIGTERM to npm. */
async function stop() {
  const began = performance.now();
  process.kill(server.pid, 'SIGTERM');
  const { code, signal } = await server.exited;
  const ms = Math.round(performance.now() - began);
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, 'SIGTERM to npm ends it with exit code 0');
  assert.ok(ms <= STOP_MS, `stopped within ${STOP_MS} ms, not ${ms}`);
  assert.deepEqual(await processesLeft(home, 1000), [], 'no process is left');
  say(`smoke: stopped after ${ms} ms, nothing left`);
}

async function deployAndOpen(url) {
  const signUp = await send(url, 'POST', '/api/signup', SIGN_UP);
  assert.equal(signUp.status, 201, signUp.text);
  const cookie = signUp.headers['set-cookie'].map((line) => line.split(';', 1)[0]).join('; ');
  const project = await send(url, 'POST', '/api/projects', newProject(), { cookie });
  assert.equal(project.status, 201, project.text);
  const { id, slug } = JSON.parse(project.text);
  const seconds = await untilRunning(url, `/api/projects/${id}/deployments`, { cookie });
  const app = await send(url, 'GET', '/', undefined, { host: `${slug}.localhost:${settings.PORT}` });
  assert.deepEqual([app.status, app.text], [200, GREETING]);
  say(`smoke: signed up, deployed in ${seconds} s, the app answers at ${slug}.localhost`);
}

async function untilRunning(url, path, headers) {
  const began = Date.now();
  while (Date.now() - began < DEPLOY_MS) {
    const { status, text } = await send(url, 'GET', path, undefined, headers);
    assert.equal(status, 200, text);
    const [latest] = JSON.parse(text);
    if (latest?.status === 'running') return ((Date.now() - began) / 1000).toFixed(1);
    assert.ok(latest?.status !== 'failed', `the deployment failed: ${latest?.error}`);
    await wait(250);
  }
  throw new Error(`the deployment did not run within ${DEPLOY_MS} ms`);
}

/** A repository with a small app, for a project. */
function newProject() {
  const app = join(home, 'app');
  mkdirSync(app);
  const scripts = { start: 'node server.js' };
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'greeter', version: '1.0.0', scripts }));
  writeFileSync(
    join(app, 'server.js'),
    `require('node:http').createServer((_, reply) => reply.end('${GREETING}')).listen(process.env.PORT);\n`,
  );
  git(app, 'init', '--quiet', '--initial-branch=main');
  git(app, 'add', '.');
  git(app, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message=Greet');
  return { name: 'Greeter', repositoryUrl: `file://${app}`, branch: 'main', framework: 'nodejs' };
}

function git(cwd, ...args) {
  execFileSync('git', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Not fetch: that does not let one choose the Host header. */
function send(url, method, path, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const type = body ? { 'content-type': 'application/json' } : {};
    const asked = request(new URL(path, url), { method, headers: { ...type, ...headers } }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        resolve({
          status: answer.statusCode,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    asked.once('error', reject);
    asked.end(body && JSON.stringify(body));
  });
}
