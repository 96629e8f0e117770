import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { Project } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';

const run = promisify(execFile);
const MB = 1024 ** 2;

let world: World;
let ada: Person;
let token: string;
let root: string;

beforeAll(async () => {
  world = await createWorld({
    running: true,
    settings: { builds: { minutes: 2, memory: 1024, disk: 8, cache: 64 } },
  });
  ada = await world.as('Ada');
  token = await tokenOf(ada);
  root = await mkdtemp(join(tmpdir(), 'nephos-pusher-'));
});
afterAll(async () => {
  await world.close();
  await rm(root, { recursive: true, force: true });
});

afterEach(async () => {
  for (const { id } of await ada.rpc.projects.list.query()) await ada.rpc.projects.remove.mutate({ id });
});

async function tokenOf(person: Person, scope: 'read' | 'write' = 'write'): Promise<string> {
  return (await person.rpc.auth.createToken.mutate({ name: `${scope}`, scope })).token;
}

const environment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Ada'],
      [`GIT_${who}_EMAIL`, 'ada@example.com'],
    ]),
  ),
};

interface Said {
  ok: boolean;
  /** What git printed, with the carriage returns and colours of a terminal taken away. */
  said: string;
}

async function git(folder: string, ...args: string[]): Promise<Said> {
  const { ok, stdout, stderr } = await run('git', args, {
    cwd: folder,
    env: environment,
    maxBuffer: 64 * MB,
  }).then(
    (out) => ({ ok: true, ...out }),
    (error: { stdout: string; stderr: string }) => ({
      ok: false,
      stdout: error.stdout,
      stderr: error.stderr,
    }),
  );
  return { ok, said: stripVTControlCharacters(stdout + stderr).replace(/[ ]+$/gm, '') };
}

/** The address at which somebody pushes, with a name and a token in it. */
function addressOf({ pushUrl }: Project, { user = 'ada@example.com', password = token } = {}): string {
  const url = new URL(new URL(pushUrl ?? '').pathname, world.url);
  return `http://${encodeURIComponent(user)}:${password}@${url.host}${url.pathname}`;
}

type Files = Record<string, string>;

interface Work {
  folder: string;
  project: Project;
  commit(files: Files, message?: string): Promise<string>;
  push(...refs: string[]): Promise<Said>;
  /** The project's deployments, newest first. */
  deployments(): Promise<{ status: string; commit: string | null; cause: string; id: string }[]>;
  page(): Promise<string>;
}

async function workOn(project: Project, address = addressOf(project)): Promise<Work> {
  const folder = await mkdtemp(join(root, 'work-'));
  await git(folder, 'init', '-q', '-b', 'main');
  await git(folder, 'remote', 'add', 'nephos', address);
  return {
    folder,
    project,
    async commit(files, message = 'Change') {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      await git(folder, 'add', '-A');
      await git(folder, 'commit', '-q', '--allow-empty', '-m', message);
      return (await git(folder, 'rev-parse', 'HEAD')).said.trim();
    },
    push: (...refs) => git(folder, 'push', 'nephos', ...(refs.length > 0 ? refs : ['HEAD'])),
    deployments: () => ada.rpc.deployments.list.query({ id: project.id }),
    page: () => pageAt(project.url),
  };
}

/** What an app answers; `fetch` lets nobody choose the host. */
async function pageAt(url: string): Promise<string> {
  const asked = get(world.url, { headers: { host: new URL(url).host } });
  // The event's only argument.
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return text(answer);
}

/** Records of pushes to the project, oldest first. */
async function recorded({ project }: Work) {
  const records = await ada.rpc.audit.list.query({ subjectId: project.id });
  return records.filter(({ procedure }) => procedure === 'projects.pushCommits').reverse();
}

async function newWork(input: object = {}): Promise<Work> {
  return workOn(
    await ada.rpc.projects.create.mutate({ name: 'Site', framework: 'static', branch: '', ...input }),
  );
}

/** Has a push end between what git does and what we make of it, as the end of the server would. */
async function cutOff({ project, push }: Work): Promise<void> {
  const { db } = world.deps;
  await db.transaction().execute(async (trx) => {
    await sql`select from projects where id = ${project.id} for no key update`.execute(trx);
    const pushing = push();
    const cut = async () => {
      const { rows } = await sql`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length;
    };
    await expect.poll(cut).toBe(1);
    await pushing;
  });
}

describe('git push', () => {
  test('deploys, with the log and the address in the push, and again what was changed', async () => {
    const work = await newWork();
    expect(work.project).toMatchObject({ repositoryUrl: '', pushed: false, latestDeployment: null });
    const commit = await work.commit(
      { 'index.html': '<h1>One</h1>', large: randomBytes(MB).toString('latin1') },
      'First',
    );
    const { ok, said } = await work.push();
    expect(said).toContain(`remote: Deploying ${commit.slice(0, 12)}`);
    expect(said).toContain(`remote: Commit ${commit.slice(0, 12)}: First`);
    expect(said).toContain(`remote: Live at ${work.project.url}\n`);
    expect(said).toMatch(/\[new branch\] +HEAD -> main/);
    expect(ok).toBe(true);
    expect(await work.page()).toBe('<h1>One</h1>');
    expect(await work.deployments()).toMatchObject([{ status: 'running', commit, cause: 'Pushed to main' }]);
    expect(await ada.rpc.projects.get.query({ id: work.project.id })).toMatchObject({ pushed: true });
    expect((await work.push()).said).toContain('Everything up-to-date');

    const by = {
      ...{ actor: { id: ada.user.id, email: ada.user.email }, via: 'token', tokenName: 'write' },
      ...{ ip: '127.0.0.1', requestId: expect.any(String), result: 'done' },
    };
    const branchesAt = (at: string) => ({ branches: [{ branch: 'main', commit: at }] });
    expect(await recorded(work)).toMatchObject([
      { ...by, before: { branches: [] }, after: branchesAt(commit) },
    ]);

    // A history that takes the place of the other.
    await git(work.folder, 'commit', '-q', '--amend', '-m', 'Else');
    await work.commit({ 'index.html': '<h1>Two</h1>' });
    expect((await work.push()).said).toContain('non-fast-forward');
    expect((await work.push('--force', 'HEAD')).said).toContain('remote: Live at');
    expect(await work.page()).toBe('<h1>Two</h1>');
    expect(await work.deployments()).toHaveLength(2);
    expect(await recorded(work)).toMatchObject([{}, { ...by, before: branchesAt(commit) }]);

    const clone = join(work.folder, 'clone');
    expect(await git(root, 'clone', '-q', addressOf(work.project), clone)).toMatchObject({ ok: true });
    expect((await git(clone, 'log', '--format=%s')).said).toBe('Change\nElse\n');
    await ada.rpc.deployments.create.mutate({ id: work.project.id });
    await expect.poll(async () => (await work.deployments())[0]?.status).toBe('running');
    expect(await work.deployments()).toHaveLength(3);

    // What runs and ran of it starts again, without another look at the repository.
    const reached = (page: string, length: number) =>
      expect.poll(async () => [await work.page(), (await work.deployments()).length]).toEqual([page, length]);
    const [, , first] = await work.deployments();
    await ada.rpc.deployments.rollback.mutate({ id: first?.id ?? '' });
    await reached('<h1>One</h1>', 4);
    await ada.rpc.deployments.restartApp.mutate({ id: work.project.id });
    await expect.poll(async () => (await work.deployments())[0]?.status).toBe('running');
    await reached('<h1>One</h1>', 5);
  });

  test('that changes no watched path is kept and not deployed', async () => {
    const work = await newWork();
    const { id } = work.project;
    await ada.rpc.pushHooks.update.mutate({ id, paths: ['site'] });
    await work.commit({ 'index.html': 'One' });
    expect((await work.push()).said).toContain('remote: Live at');
    await work.commit({ 'docs/é.md': 'How', 'sites/a': 'a' });
    expect((await work.push()).said).toContain('remote: Not deployed: None of the watched paths changed.\n');
    await work.commit({ 'site/a.txt': 'a' });
    expect((await work.push()).said).toContain('remote: Live at');
    await git(work.folder, 'reset', '-q', '--hard', 'HEAD~2');
    expect((await work.push('--force', 'HEAD')).said).toContain('remote: Live at');
    expect(await work.deployments()).toHaveLength(3);
  });

  test('that git took in and nothing queued is deployed later, once', async () => {
    const work = await newWork();
    await work.commit({ 'index.html': 'One' });
    expect((await work.push()).said).toContain('remote: Live at');
    const commit = await work.commit({ 'index.html': 'Two' });
    await cutOff(work);
    expect((await git(work.folder, 'ls-remote', 'nephos', 'refs/heads/main')).said).toContain(commit);
    expect(await work.deployments()).toHaveLength(1);
    expect(await recorded(work)).toHaveLength(1);
    const { parts } = world.deps;
    const caughtUp = () => Promise.all(parts.map((part) => part.sweeps?.pendingPushes?.()));
    await caughtUp();
    const [, late] = await recorded(work);
    expect(late).toMatchObject({ actor: { email: ada.user.email }, via: 'token', ip: '127.0.0.1' });
    await caughtUp();
    await expect.poll(() => work.page()).toBe('Two');
    expect(await work.deployments()).toMatchObject([{ commit, cause: 'Pushed to main' }, {}]);

    // The next push brings along what the last one had.
    await work.commit({ 'index.html': 'Three' });
    await cutOff(work);
    expect((await work.push('HEAD:next')).said).toContain('remote: Live at');
    expect(await work.page()).toBe('Three');
    await caughtUp();
    expect(await work.deployments()).toHaveLength(3);
  });

  test('tells why a build failed, and leaves the version before as it is', async () => {
    const work = await newWork({ framework: 'nodejs' });
    await work.commit({
      'package.json': '{"scripts":{"build":"echo compiling && exit 3","start":"node x"}}',
    });
    const { ok, said } = await work.push();
    expect(ok).toBe(true);
    expect(said).toContain('remote: compiling\n');
    expect(said).toMatch(/remote: Failed at the step build: .*3/);
    expect(said).toContain(`remote: http://localhost`);
    expect(await work.deployments()).toMatchObject([{ status: 'failed' }]);
  });

  test('takes the place of a template, and goes on where the pusher stops watching', async () => {
    const work = await newWork({ template: 'static-site' });
    await work.commit({ 'index.html': 'on' });
    const pushing = spawn('git', ['push', 'nephos', 'HEAD'], { cwd: work.folder, env: environment });
    for await (const chunk of pushing.stderr) if (String(chunk).includes('Deploying')) break;
    pushing.kill('SIGINT');
    await expect.poll(async () => (await work.deployments())[0]?.status).toBe('running');
    expect(await work.page()).toBe('on');
    expect((await work.deployments()).map(({ cause }) => cause)).toEqual(['Pushed to main', '']);
  });

  test('of another branch, of what is not to be built and of a tag is kept, and deploys nothing', async () => {
    const work = await newWork({ branch: 'main' });
    await work.commit({ 'index.html': 'x' }, 'Typo [skip ci]');
    const other = await work.push('HEAD:next');
    expect(other).toMatchObject({ ok: true });
    expect(other.said).toContain('remote: Not deployed: The project deploys the branch main.\n');
    expect((await ada.rpc.projects.get.query({ id: work.project.id })).pushed).toBe(false);
    expect((await work.push('HEAD:main')).said).toContain(
      "remote: Not deployed: The commit's message says [skip ci].",
    );
    expect((await work.push('HEAD:refs/tags/v1')).said).not.toContain('remote');
    expect((await work.push('--delete', 'next')).said).toContain('The project deploys the branch main.');
    const refused = await work.push('HEAD:refs/notes/x');
    expect(refused).toMatchObject({ ok: false });
    expect(refused.said).toContain('hidden ref');
    expect(await work.deployments()).toEqual([]);
    expect((await git(work.folder, 'ls-remote', 'nephos')).said.match(/\S+$/gm)).toEqual([
      'HEAD',
      'refs/heads/main',
      'refs/tags/v1',
    ]);
  });

  test('at the same time as another one waits for it, and both are taken', async () => {
    const work = await newWork({ branch: 'main' });
    await work.commit({ 'index.html': 'x' });
    const all = await Promise.all(['one', 'two', 'three'].map((branch) => work.push(`HEAD:${branch}`)));
    expect(all.map(({ ok }) => ok)).toEqual([true, true, true]);
    const both = await Promise.all([work.push('HEAD:main'), work.push('HEAD:main')]);
    expect(both.map(({ said }) => said).join()).toContain('remote: Live at');
    expect(await work.deployments()).toHaveLength(1);
  });

  test('that is too large is refused, and nothing of it is kept', async () => {
    const work = await newWork();
    await work.commit({ 'index.html': 'x', large: randomBytes(9 * MB).toString('latin1') });
    const { ok, said } = await work.push();
    expect(said).toContain('A push can have up to 8 MB.');
    expect(ok).toBe(false);
    expect((await git(work.folder, 'ls-remote', 'nephos')).said).toBe('');
    expect(await work.deployments()).toEqual([]);
  });
});

describe('a repository', () => {
  test("is there for its owner's tokens alone, and pushed to by one that can write", async () => {
    const work = await newWork();
    await work.commit({ 'index.html': 'x' });
    const bob = await world.as('Bob');
    const as = (credentials: { user?: string; password?: string }) =>
      git(work.folder, 'push', addressOf(work.project, credentials), 'HEAD');
    const path = `${new URL(work.project.pushUrl ?? '').pathname}/info/refs?service=git-receive-pack`;
    const anyone = await fetch(new URL(path, world.url));
    expect([anyone.status, anyone.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="Nephos", charset="UTF-8"',
    ]);
    const wrong = await as({ password: `${token.slice(0, -2)}xx` });
    expect(wrong).toMatchObject({ ok: false });
    expect(wrong.said).toContain('Authentication failed');
    const password = await tokenOf(bob);
    const theirs = await as({ user: 'bob@example.com', password });
    expect(theirs.said).toContain('remote: There is no such project.');
    expect((await as({ password })).said).toContain('Authentication failed');
    expect(
      (await git(root, 'ls-remote', addressOf(work.project, { user: 'bob@example.com', password }))).ok,
    ).toBe(false);
    const reading = await tokenOf(ada, 'read');
    expect((await as({ password: reading })).said).toContain('remote: This access token can only read.');
    expect(await git(root, 'ls-remote', addressOf(work.project, { password: reading }))).toEqual({
      ok: true,
      said: '',
    });
    expect(await work.deployments()).toEqual([]);
  });

  test('takes no push while the project is deployed from elsewhere, and goes with the project', async () => {
    const work = await newWork();
    const { id } = work.project;
    await work.commit({ 'index.html': 'x' });
    await ada.rpc.projects.update.mutate({ id, repositoryUrl: 'https://git.example.com/a/b.git' });
    expect((await work.push()).said).toContain(
      'remote: This project is deployed from https://git.example.com/a/b.git.',
    );
    expect(await ada.rpc.projects.get.query({ id })).toMatchObject({ pushUrl: null, pushed: false });
    await ada.rpc.projects.update.mutate({ id, repositoryUrl: '' });
    expect((await work.push()).said).toContain('remote: Live at');
    const folder = join(world.deps.settings.dataDir, 'apps/projects', id);
    expect(await readdir(folder)).toContain('repository');
    await ada.rpc.projects.remove.mutate({ id });
    await expect
      .poll(
        () =>
          access(folder).then(
            () => 'there',
            () => 'gone',
          ),
        { timeout: 60_000 },
      )
      .toBe('gone');
    expect((await work.push()).said).toContain('remote: There is no such project.');
    expect(
      await access(folder).then(
        () => 'there',
        () => 'gone',
      ),
    ).toBe('gone');
  });
});
