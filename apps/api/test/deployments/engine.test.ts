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

  it('a built site', async () => {
    await git.createRepository('built', builtSite('<h1>Built</h1>'));
    const project = world.project(git.url('built'), { framework: 'static' });
    const { outcome, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    expect(await world.ask(project)).toMatchObject({ status: 200, text: '<h1>Built</h1>' });
  });
});
