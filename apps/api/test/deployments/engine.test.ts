import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../git-server.ts';
import { builtSite, helloApp, nodeAppWithPackage, staticSite } from './app-fixtures.ts';
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

  it('a built site', async () => {
    await git.createRepository('built', builtSite('<h1>Built</h1>'));
    const project = world.project(git.url('built'), { framework: 'static' });
    const { outcome, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    expect(await world.ask(project)).toMatchObject({ status: 200, text: '<h1>Built</h1>' });
  });
});
