import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Files, type GitServer, startGitServer } from '../git-server.ts';
import { builtSite, helloApp, nodeApp, staticSite } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from './engine-world.ts';

let git: GitServer;
let world: EngineWorld;

beforeAll(async () => {
  git = await startGitServer();
  world = await createEngineWorld({ limits: { listenTime: 1500, healthTime: 500 } });
});

afterAll(async () => {
  await world.close();
  await git.close();
});

/** Deploys something that must fail, and checks that nothing of it is left. */
async function failureOf(name: string, files: Files, change: Partial<TestProject> = {}) {
  await git.createRepository(name, files);
  const project = world.project(git.url(name), change);
  const { outcome, log } = await world.deploy(project);
  const releases = await readdir(join(world.dataDir, 'apps/projects', project.projectId, 'releases'));
  expect(releases).toEqual([]);
  expect((await world.ask(project)).status).toBe(404);
  if (outcome.status !== 'failed') throw new Error(`${outcome.status}: ${log()}`);
  expect(log()).toContain(outcome.error);
  return { ...outcome, log: log() };
}

it('names the step install', async () => {
  const packageJson = { dependencies: { missing: 'file:./not-there.tgz' } };
  const failure = await failureOf('bad-install', helloApp('x', { packageJson }));
  expect(failure).toMatchObject({
    step: 'install',
    error: expect.stringMatching(
      /^Install failed: npm install exited with code \d+\. See the log for details\.$/,
    ),
  });
});

it('names the step build, and the version of Node.js that the framework needs', async () => {
  const packageJson = {
    scripts: { build: 'node -e "console.error(\'ENOTFOUND broken.here\');process.exit(3)"', start: 'node .' },
    dependencies: { next: 'file:./next' },
  };
  const files = {
    ...helloApp('x', { packageJson }),
    'next/package.json': JSON.stringify({ name: 'next', version: '16.0.0', engines: { node: '>=99' } }),
  };
  const failure = await failureOf('bad-build', files);
  const node = process.version.slice(1);
  expect(failure).toMatchObject({
    step: 'build',
    error: `Build failed: npm run build exited with code 3: the host broken.here was not found. See the log for details. Next.js 16.0.0 needs Node.js >=99, and this build has ${node}. Set the Node.js version in the project's settings.`,
  });
  expect(failure.log).toContain('ENOTFOUND broken.here');
});

it('names the step start, for an app that exits', async () => {
  const failure = await failureOf('exits', helloApp('x', { before: 'process.exit(7);' }));
  expect(failure).toMatchObject({
    step: 'start',
    error: 'Start failed: node server.js exited with code 7. See the log for details.',
  });
});

it('names PORT, for an app that listens elsewhere', async () => {
  const files = { ...helloApp('x'), 'server.js': 'setInterval(() => {}, 1000);' };
  const failure = await failureOf('deaf', files);
  expect(failure).toMatchObject({
    step: 'start',
    error: expect.stringMatching(
      /^Start failed: node server\.js did not listen on port \d+ within 1\.5 seconds\. Make it listen on the port in the PORT environment variable\.$/,
    ),
  });
});

it('names the health path and its answer', async () => {
  const code = 'response.statusCode = request.url === "/health" ? 500 : 200; response.end();';
  const failure = await failureOf('sick', nodeApp(code), { healthPath: '/health' });
  expect(failure).toMatchObject({
    step: 'health',
    error: 'Health check failed: /health returned 500 for 0.5 seconds.',
  });
});

it('names a command that does not exist', async () => {
  const failure = await failureOf(
    'no-command',
    helloApp('x', { packageJson: { scripts: { start: 'no-such-program' } } }),
  );
  expect(failure).toMatchObject({
    step: 'start',
    error: 'Start failed: no-such-program exited with code 127. See the log for details.',
  });
});

it('names a branch that is not there', async () => {
  const failure = await failureOf('one-branch', helloApp('x'), { branch: 'release/2' });
  expect(failure).toMatchObject({
    step: 'clone',
    error: 'Failed to clone the repository: it has no branch "release/2".',
  });
});

it.each([
  [
    'a submodule elsewhere',
    {
      '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = ssh://example.com/lib.git\n',
      lib: { submodule: 'a'.repeat(40) },
    },
    "its submodule lib can't be fetched: the URL must begin with https://.",
  ],
  [
    'files in LFS',
    {
      '.gitattributes': '*.png filter=lfs diff=lfs merge=lfs -text\n',
      'a/logo.png': 'version https://git-lfs.github.com/spec/v1\n',
    },
    "it keeps a/logo.png in Git LFS, which Nephos doesn't download. Store these files in Git itself, or load them from elsewhere.",
  ],
])('refuses a repository with %s', async (_, files: Files, reason) => {
  const failure = await failureOf(`odd-${Object.keys(files).length}-${reason.length}`, {
    ...helloApp('x'),
    ...files,
  });
  expect(failure).toMatchObject({ step: 'clone', error: `Failed to clone the repository: ${reason}` });
});

it('says that there is no repository', async () => {
  const project = world.project(git.url('never-made'));
  const { outcome } = await world.deploy(project);
  expect(outcome).toEqual({
    status: 'failed',
    step: 'clone',
    error: 'Failed to clone the repository: no Git repository was found at this URL.',
  });
});

it.each([
  ['asks for a sign-in', 401, { 'www-authenticate': 'Basic' }, /it is private, or the URL is wrong/],
  ['redirects', 302, { location: 'http://127.0.0.1:1/other.git' }, /the URL redirects/],
  ['is broken', 500, {}, /the Git server closed the connection/],
])('says that a server %s', async (_, status, headers, meaning) => {
  const server = createServer((_request, response) => response.writeHead(status, headers).end()).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { outcome } = await world.deploy(world.project(`http://127.0.0.1:${port}/a.git`));
  server.close();
  expect(outcome).toMatchObject({ status: 'failed', step: 'clone', error: expect.stringMatching(meaning) });
});

it('says what it found of another framework', async () => {
  const site = await failureOf('wrong-framework', { 'index.html': '<h1>x</h1>' });
  expect(site).toMatchObject({
    step: 'detect',
    error:
      'The repository has no package.json. Node.js apps need one. It has index.html. Set the framework to static.',
  });
  const go = await failureOf('go', { 'go.mod': 'module x', Procfile: 'web: bin/server\n' });
  expect(go.error).toBe(
    'The repository has no package.json. Node.js apps need one. It has go.mod (Go), which needs a container. ' +
      'This server runs Node.js, Python and static sites; with DEPLOY_RUNTIME=docker, it runs containers.',
  );
  const files = { ...helloApp('x'), 'package.json': null };
  const deep = Object.fromEntries(
    ['apps/web', 'apps/api', '.cache/app'].map((folder) => [`${folder}/package.json`, '{}']),
  );
  const monorepo = await failureOf('monorepo', { ...files, ...deep, '.env.example': '' });
  expect(monorepo.error).toMatch(/ Set the folder to apps\/api or apps\/web\.$/);
  const settings = { ...DETECTED_SETTINGS, rootDirectory: 'apps/shop' };
  const missing = await failureOf('monorepo-missing', { ...files, ...deep }, { settings });
  expect(missing).toMatchObject({
    step: 'detect',
    error: 'The repository has no folder apps/shop. It has apps/api and apps/web.',
  });
});

it('refuses a site without a page', async () => {
  const files = { ...builtSite('x'), 'build.js': '' };
  const failure = await failureOf('no-output', files, { framework: 'static' });
  expect(failure).toMatchObject({
    step: 'build',
    error: 'Build failed: no index.html found in dist, build, out, public, _site.',
  });
});

it('refuses a site whose link leads out of it', async () => {
  const files = { ...staticSite('x'), 'secret.txt': { link: '/etc/passwd' } };
  const failure = await failureOf('escape', files, { framework: 'static' });
  expect(failure.error).toBe(
    'Build failed: the site cannot be served because the link secret.txt leads out of the site.',
  );
});

it('does not read what package.json links to', async () => {
  const files = { 'package.json': { link: '/etc/shadow' }, 'index.js': '' };
  const failure = await failureOf('linked-package', files);
  expect(failure).toMatchObject({ step: 'detect', error: expect.stringContaining('has no package.json') });
});

it('keeps the old version through a failed deployment', async () => {
  await git.createRepository('breaks', helloApp('old'));
  const project = world.project(git.url('breaks'));
  await world.deploy(project);
  await git.commit('breaks', helloApp('new', { before: 'throw new Error("no");' }), 'Break it');
  const { outcome } = await world.deploy(project);
  expect(outcome.status).toBe('failed');
  expect(await world.ask(project)).toMatchObject({ status: 200, text: 'old' });
});

it('keeps the old version when the switch is not recorded', async () => {
  await git.createRepository('unrecorded', helloApp('old'));
  const project = world.project(git.url('unrecorded'));
  await world.deploy(project);
  await git.commit('unrecorded', helloApp('new'), 'Change it');
  const { outcome } = await world.deploy(project, {
    onSwitch: () => Promise.reject(new Error('no database')),
  });
  expect(outcome).toMatchObject({ status: 'failed', step: 'switch' });
  expect(await world.ask(project)).toMatchObject({ text: 'old' });
});

it('ends a build that is cancelled', async () => {
  const packageJson = { scripts: { build: 'node -e "setInterval(()=>{},1000)"', start: 'node .' } };
  await git.createRepository('endless', helloApp('x', { packageJson }));
  const cancel = new AbortController();
  const { outcome } = await world.deploy(world.project(git.url('endless')), {
    signal: cancel.signal,
    onProgress: ({ step }) => step === 'build' && cancel.abort(),
  });
  expect(outcome).toEqual({ status: 'cancelled' });
});
