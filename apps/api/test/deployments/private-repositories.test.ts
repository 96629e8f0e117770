import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GitServer, startGitServer } from '../git-server.ts';
import { createWorld, type Person, type World } from '../world.ts';

const TOKEN = 'glpat-0123456789abcdef';
const FILES = { 'index.html': '<h1>Private</h1>' };

let world: World;
let git: GitServer;
let other: GitServer;
let ada: Person;

beforeAll(async () => {
  [git, other, world] = await Promise.all([
    startGitServer(),
    startGitServer(),
    createWorld({ running: true }),
  ]);
  ada = await world.as('Ada');
});
afterAll(async () => {
  await world.close();
  await Promise.all([git.close(), other.close()]);
});

const create = (repositoryUrl: string, input: object = {}) =>
  ada.rpc.projects.create.mutate({ name: 'Site', framework: 'static', branch: '', repositoryUrl, ...input });

/** The newest deployment once it has ended, with its log. */
async function endOf({ id }: Pick<Project, 'id'>) {
  const newest = async () => (await ada.rpc.deployments.list.query({ id }))[0];
  await expect.poll(async () => (await newest())?.status).toMatch(/running|failed/);
  const deployment = await newest();
  const { text } = await ada.rpc.deployments.logTail.query({ id: deployment?.id ?? '' });
  return { ...deployment, text };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('a private repository over HTTPS', () => {
  test('is cloned with its token, with which nothing else is asked and nothing is left', async () => {
    const submodule = await other.createRepository('theirs', { 'theirs.txt': 'x' });
    await git.createRepository('private', {
      ...FILES,
      '.gitmodules': `[submodule "theirs"]\n\tpath = theirs\n\turl = ${other.url('theirs')}\n`,
      theirs: { submodule },
    });
    git.protect('private', `ada:${TOKEN}`);
    const project = await create(git.url('private'), { repositoryUsername: 'ada', repositoryToken: TOKEN });
    expect(project).toMatchObject({ hasRepositoryToken: true });
    expect(JSON.stringify(project)).not.toContain(TOKEN);
    const { text, ...deployment } = await endOf(project);
    expect({ text, ...deployment }).toMatchObject({ status: 'running', error: null });
    expect(text).not.toContain(TOKEN);
    expect(git.authorizations.length).toBeGreaterThan(0);
    expect(other.requests.length).toBeGreaterThan(0);
    expect(other.authorizations).toEqual([]);
    for (const file of await filesBelow(world.deps.settings.dataDir)) {
      if (file.includes('/postgres')) continue;
      const content = await readFile(file, 'latin1').catch(() => '');
      expect(content.includes(TOKEN) || content.includes(btoa(`ada:${TOKEN}`)), file).toBe(false);
    }
  });

  test('says that its token was refused, or that it lacks one, and the log does not have it', async () => {
    await git.createRepository('closed', FILES);
    git.protect('closed', `ada:${TOKEN}`);
    const wrong = 'ghp_wrong-0123456789';
    const project = await create(git.url('closed'), { repositoryToken: wrong });
    const refused = await endOf(project);
    expect(refused).toMatchObject({
      status: 'failed',
      step: 'clone',
      error:
        "Failed to clone the repository: the Git server refused the token. Enter one that can read this repository in the project's settings.",
    });
    // The server has said it back, with the name that stands where none was given.
    expect(git.authorizations).toContain(`Basic ${btoa(`x-access-token:${wrong}`)}`);
    expect(refused.text).toContain('Wrong: Basic');
    expect(refused.text).not.toContain(wrong);
    expect(refused.text).not.toContain(btoa(`x-access-token:${wrong}`));
    const without = { id: project.id, repositoryUsername: '', repositoryToken: '' };
    expect(await ada.rpc.projects.update.mutate(without)).toMatchObject({ hasRepositoryToken: false });
    await ada.rpc.deployments.create.mutate({ id: project.id });
    expect((await endOf(project)).error).toMatch(/it is private, or the URL is wrong\. For a private one/);
    await ada.rpc.projects.update.mutate({
      id: project.id,
      repositoryUsername: 'ada',
      repositoryToken: TOKEN,
    });
    await ada.rpc.deployments.create.mutate({ id: project.id });
    expect(await endOf(project)).toMatchObject({ status: 'running' });
  });

  test('keeps its token for its host alone', async () => {
    const { id } = await ada.rpc.projects.create.mutate({ name: 'Moves' });
    const change = async (body: object) => {
      const answer = await ada.rest(`PATCH /api/projects/${id}`, { body });
      return answer.status === 200 ? (answer.body as Project).hasRepositoryToken : answer.body;
    };
    expect(await change({ repositoryToken: TOKEN })).toMatchObject({
      code: 'VALIDATION',
      fields: [{ path: 'repositoryToken', message: 'Only a repository with an HTTPS URL has a token.' }],
    });
    expect(await change({ repositoryUrl: 'https://git.example.com/a.git', repositoryToken: TOKEN })).toBe(
      true,
    );
    expect(await change({ repositoryUsername: 'ada' })).toMatchObject({
      fields: [{ path: 'repositoryToken' }],
    });
    expect(await change({ name: 'Still', repositoryUrl: 'https://git.example.com/b.git' })).toBe(true);
    for (const elsewhere of ['https://git.example.org/b.git', 'http://git.example.com/b.git', '']) {
      expect(await change({ repositoryUrl: 'https://git.example.com/b.git', repositoryToken: TOKEN })).toBe(
        true,
      );
      expect(await change({ repositoryUrl: elsewhere })).toBe(false);
      expect(await change({ repositoryUrl: 'https://git.example.com/b.git' })).toBe(false);
    }
    const bob = await world.as('Bob');
    expect(await bob.rest(`PATCH /api/projects/${id}`, { body: { repositoryToken: 'x' } })).toMatchObject({
      status: 404,
    });
    const row = await world.deps.db
      .selectFrom('projects')
      .select('repositoryCredentials')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row?.repositoryCredentials).toBeNull();
  });
});
