import { randomUUID } from 'node:crypto';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../git-server.ts';
import { builtSite, helloApp, nodeApp, nodeAppWithPackage, staticSite } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';

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

const WORKSPACE_LOCK = {
  '': { workspaces: ['apps/*', 'packages/*'] },
  'apps/web': { version: '1.0.0', dependencies: { greeting: '1.0.0' } },
  'packages/greeting': { version: '1.0.0' },
  'node_modules/greeting': { resolved: 'packages/greeting', link: true },
  'node_modules/web': { resolved: 'apps/web', link: true },
};

it('deletes a disk once the app that was stopped has ended', async () => {
  const before = "process.on('SIGTERM', () => setTimeout(() => process.exit(0), 1000));";
  await git.createRepository('slow-end', helloApp('on disk', { before }));
  const id = randomUUID();
  const disks = [{ id, name: 'data', path: 'data', size: 64 }];
  const project = world.project(git.url('slow-end'), { disks });
  const { outcome, log } = await world.deploy(project);
  expect(outcome, log()).toEqual({ status: 'running' });
  const stopping = world.engine.stopApp(project.projectId);
  await world.engine.removeDisk(project.projectId, id);
  expect(world.engine.processes(project.projectId).map(({ state }) => state)).toEqual(['stopped']);
  await stopping;
});

describe('what it runs', () => {
  it('a Node.js app without packages', async () => {
    const commit = await git.createRepository('plain', helloApp('hello'));
    const project = world.project(git.url('plain'));
    const { outcome, progress, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    expect(await world.ask(project)).toMatchObject({ status: 200, text: 'hello' });
    expect(progress).toContainEqual({ step: 'detect', commit, commitMessage: 'Create plain' });
    const steps = progress.flatMap(({ step }) => step ?? []);
    expect(steps).toEqual(['clone', 'detect', 'start', 'health', 'switch']);
  });

  it('a Node.js app with a package and a build', async () => {
    await git.createRepository('packaged', nodeAppWithPackage('from a package'));
    const project = world.project(git.url('packaged'));
    const { outcome, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    expect(await world.ask(project)).toMatchObject({ text: 'from a package' });
    expect(log()).toContain('Running npm install');
  });

  it('a plain folder', async () => {
    await git.createRepository('site', staticSite('<h1>Site</h1>'));
    const project = world.project(git.url('site'), { framework: 'static' });
    const { outcome, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    expect(await world.ask(project)).toMatchObject({ status: 200, text: '<h1>Site</h1>' });
  });

  it('the default branch, with its submodules', async () => {
    const greeting = await git.createRepository('greeting', {
      'text.js': "module.exports = 'of a submodule';",
    });
    await git.createRepository('parent', { 'README.md': '' });
    const files = helloApp('', { before: "const text = require('./lib/text.js');" });
    await git.commit(
      'parent',
      {
        ...files,
        'server.js': String(files['server.js']).replace('end("")', 'end(text)'),
        '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = ../greeting.git\n',
        lib: { submodule: greeting },
      },
      'Use it',
      'trunk',
    );
    await git.setDefault('parent', 'trunk');
    const project = world.project(git.url('parent'), { branch: '' });
    const { outcome, progress, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    expect(await world.ask(project)).toMatchObject({ text: 'of a submodule' });
    expect(progress).toContainEqual(expect.objectContaining({ branch: 'trunk', commitMessage: 'Use it' }));
  });

  it('a folder of a workspace, with its release command, and its packages again', async () => {
    const json = (value: object) => JSON.stringify(value);
    const scripts = { build: 'node build.js', start: 'node server.js' };
    await git.createRepository('monorepo', {
      'package.json': json({ workspaces: ['apps/*', 'packages/*'] }),
      'package-lock.json': json({ lockfileVersion: 3, packages: WORKSPACE_LOCK }),
      'packages/greeting/package.json': json({ name: 'greeting', version: '1.0.0' }),
      'packages/greeting/index.js': "module.exports = 'from the workspace';",
      'apps/web/package.json': json({ name: 'web', scripts, dependencies: { greeting: '1.0.0' } }),
      'apps/web/build.js': `const fs = require('node:fs');
        fs.mkdirSync('node_modules/.cache', { recursive: true });
        fs.appendFileSync('node_modules/.cache/builds', 'x');
        fs.writeFileSync('built', fs.readFileSync('node_modules/.cache/builds'));`,
      'apps/web/server.js': `const fs = require('node:fs');
        const text = [require('greeting'), fs.readFileSync('built'), fs.readFileSync('released')].join(' ');
        require('node:http').createServer((_, response) => response.end(text)).listen(process.env.PORT, '127.0.0.1');`,
      'apps/web/Procfile':
        "release: node -e \"require('fs').writeFileSync('released', process.env.NAME)\" && true\n",
    });
    const settings = { ...DETECTED_SETTINGS, rootDirectory: 'apps/web' };
    const project = world.project(git.url('monorepo'), { settings, variables: { NAME: 'Ada' } });
    const first = await world.deploy(project);
    expect(first.outcome, first.log()).toEqual({ status: 'running' });
    expect(await world.ask(project)).toMatchObject({ text: 'from the workspace x Ada' });
    const steps = first.progress.flatMap(({ step }) => step ?? []);
    expect(steps).toEqual(['clone', 'detect', 'install', 'build', 'release', 'start', 'health', 'switch']);
    expect(first.log()).toContain('Running npm ci');
    expect(first.progress.find(({ detected }) => detected)?.detected).toMatchObject({
      ...{ framework: 'Node.js', runtime: `Node.js ${process.version.slice(1)}`, packageManager: 'npm' },
      ...{ installCommand: 'npm ci', buildCommand: 'npm run build' },
      processes: [{ name: 'web', command: 'node server.js' }],
    });

    const second = await world.deploy(project);
    expect(second.outcome, second.log()).toEqual({ status: 'running' });
    expect(second.log()).toContain('Using the packages of an earlier deployment');
    // The cache of the tools is kept, too.
    expect(await world.ask(project)).toMatchObject({ text: 'from the workspace xx Ada' });

    const failing = { ...project, settings: { ...settings, releaseCommand: 'node -e "process.exit(4)"' } };
    const third = await world.deploy(failing);
    expect(third.outcome).toMatchObject({
      step: 'release',
      error:
        'The release command failed: node -e "process.exit(4)" exited with code 4. See the log for details.',
    });
    expect(await world.ask(project)).toMatchObject({ text: 'from the workspace xx Ada' });
  });

  it('a front end as the site that it builds, with its home page for every path', async () => {
    const files = builtSite('<h1>App</h1>');
    const scripts = { build: 'node build.js', start: 'vite' };
    await git.createRepository('front-end', { ...files, 'package.json': JSON.stringify({ scripts }) });
    const project = world.project(git.url('front-end'));
    const { outcome, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    expect(log()).toContain('since its start script (vite) runs a development server');
    const headers = { accept: 'text/html' };
    expect(await world.ask(project, '/deep/path', { headers })).toMatchObject({
      status: 200,
      text: '<h1>App</h1>',
    });
    // A site of several pages has no page for what is not there.
    const build = `${files['build.js']}\nfs.writeFileSync('dist/about.html', 'About');`;
    await git.commit('front-end', { 'build.js': build }, 'Add a page');
    await world.deploy(project);
    expect(await world.ask(project, '/deep/path', { headers })).toMatchObject({ status: 404 });
    expect(await world.ask(project, '/about', { headers })).toMatchObject({ status: 200, text: 'About' });
  });

  it('a built site, which is not built again where nothing has changed', async () => {
    await git.createRepository('built', builtSite('<h1>Built</h1>'));
    const project = world.project(git.url('built'), { framework: 'static' });
    const { outcome, job, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    const second = await world.deploy(project);
    expect(second.outcome, second.log()).toEqual({ status: 'running' });
    expect(second.progress).toContainEqual({ rollbackOf: job.deploymentId });
    expect(second.log()).toContain('Nothing has changed since the last build');
    expect(await world.ask(project)).toMatchObject({ status: 200, text: '<h1>Built</h1>' });
    // What a release command works with is gone once a site is sealed.
    const released = {
      ...project,
      settings: { ...DETECTED_SETTINGS, releaseCommand: 'test -f dist/index.html' },
    };
    for (const _ of [1, 2]) expect((await world.deploy(released)).outcome).toEqual({ status: 'running' });
  });

  it('an app whose release is as it was built without a build, and else anew', async () => {
    const files = nodeApp(`if (request.url === '/write') require('node:fs').writeFileSync('data', 'x');
      response.end(String(require('node:fs').existsSync('data')));`);
    await git.createRepository('unchanged', {
      ...files,
      Procfile: 'release: node -e "console.log(\'released\')"\n',
    });
    const project = world.project(git.url('unchanged'));
    const { job } = await world.deploy(project);
    const same = await world.deploy({ ...project, variables: { ONLY: 'of the app' }, buildVariables: {} });
    expect(same.progress).toContainEqual({ rollbackOf: job.deploymentId });
    expect(same.log()).toContain('released');
    expect(await world.ask(project, '/write')).toMatchObject({ text: 'true' });
    const anew = await world.deploy(project);
    expect(anew.progress.flatMap(({ rollbackOf }) => rollbackOf ?? [])).toEqual([]);
    expect(await world.ask(project)).toMatchObject({ text: 'false' });
  });
});
