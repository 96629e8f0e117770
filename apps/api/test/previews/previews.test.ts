import { createHmac, randomUUID } from 'node:crypto';
import { databaseReference, type Preview, type PreviewSettings } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { previewSlugsFor } from '../../src/domains/projects/slug.ts';
import { lockAccount } from '../../src/platform/account-lock.ts';
import { addressOf, ask, makeDatabase, PATIENCE } from '../databases/database-fixtures.ts';
import { removeProjects } from '../deployments/fixtures/remove-projects.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const REPOSITORY = 'https://git.example.com/ada/shop.git';
const NO = { status: 'failed', step: 'clone', error: 'No.' } as const;
/** Milliseconds until a new database is backed up. */
const SOON = { lookEvery: 200, firstAfter: 0 };
const commitOf = (nth: number) => String(nth).padStart(40, 'a');

let world: World;
let engine: ScriptedEngine;
let ada: Person;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine, archiverTimes: SOON }, running: true });
  ada = await world.as('Ada');
});
afterEach(() => removeProjects(world, engine));
afterAll(() => world.close());

interface Answer {
  status: number;
  body: { result?: string; reason?: string; message?: string; deploymentId?: string | null };
}

interface Shop {
  id: string;
  slug: string;
  /** Tells the hook as GitHub does, unless other headers say otherwise. */
  tell(event: string, payload: object, headers?: (body: string) => Record<string, string>): Promise<Answer>;
  push(branch: string, nth?: number, more?: object): Promise<Answer>;
  drop(branch: string): Promise<Answer>;
  list(): Promise<Preview[]>;
}

/** A project with a push hook, whose previews are set so. */
async function shopOf(settings: Partial<PreviewSettings> = {}, input: object = {}): Promise<Shop> {
  const project = { name: 'Shop', repositoryUrl: REPOSITORY, ...input };
  const { id, slug, latestDeployment } = await ada.rpc.projects.create.mutate(project);
  (await engine.runOf(latestDeployment?.id ?? '')).end(NO);
  const { secret } = await ada.rpc.pushHooks.renewSecret.mutate({ id });
  await ada.rpc.previews.update.mutate({ id, enabled: true, ...settings });
  const sign = (body: string) => createHmac('sha256', secret).update(body).digest('hex');
  const tell: Shop['tell'] = async (event, payload, headers) => {
    const body = JSON.stringify(payload);
    const github = { 'x-github-event': event, 'x-hub-signature-256': `sha256=${sign(body)}` };
    const given = headers?.(sign(body)) ?? github;
    const answer = await fetch(`${world.url}/api/hooks/${id}`, { method: 'POST', headers: given, body });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  };
  const pushed = (branch: string, after: string, more: object = {}) =>
    tell('push', { ref: `refs/heads/${branch}`, after, repository: { default_branch: 'main' }, ...more });
  return {
    ...{ id, slug, tell },
    push: (branch, nth = 1, more = {}) => pushed(branch, commitOf(nth), more),
    drop: (branch) => pushed(branch, '0'.repeat(40)),
    list: () => ada.rpc.previews.list.query({ id }),
  };
}

const deployed = { status: 200, body: { result: 'deployed', reason: '' } };
const ignored = (reason: string) => ({ status: 200, body: { result: 'ignored', reason } });
const refused = (message: string) => ({ status: 422, body: { message } });

describe('a push to another branch', () => {
  test('is deployed as a project of its own, with the code of that branch', async () => {
    const shop = await shopOf();
    await ada.rpc.projects.update.mutate({
      id: shop.id,
      healthPath: '/up',
      settings: { buildCommand: 'make' },
    });
    const answer = await shop.push('feature/Cart');
    expect(answer).toMatchObject(deployed);
    const [preview, ...none] = await shop.list();
    expect(none).toEqual([]);
    const { job } = await engine.runOf(answer.body.deploymentId ?? '');
    expect(job).toMatchObject({ projectId: preview?.id, branch: 'feature/Cart', healthPath: '/up' });
    expect(job).toMatchObject({ repositoryUrl: REPOSITORY, settings: { buildCommand: 'make' } });
    expect(preview).toMatchObject({ branch: 'feature/Cart', pullRequest: null });
    expect(preview?.state).toMatch(/queued|building/);
    expect(preview?.url).toMatch(new RegExp(`^http://${shop.slug}-feature-cart-[0-9a-f]{6}\\.`));
    const day = 24 * 3600 * 1000;
    expect(Date.parse(preview?.endsAt ?? '') - Date.parse(preview?.pushedAt ?? '')).toBe(14 * day);
    const project = await ada.rpc.projects.get.query({ id: preview?.id ?? '' });
    expect(project).toMatchObject({ name: 'Shop (feature/Cart)', repositoryUrl: REPOSITORY });
    const [delivery] = await ada.rpc.pushHooks.deliveries.query({ id: shop.id });
    expect(delivery).toMatchObject({ result: 'deployed', branch: 'feature/Cart', projectId: preview?.id });
    // The next push is of the same project, and what its own branch does is as ever.
    expect(await shop.push('feature/Cart', 2)).toMatchObject(deployed);
    expect((await shop.list()).map(({ id }) => id)).toEqual([preview?.id]);
    expect(await shop.push('feature/Cart', 2)).toMatchObject(
      ignored('This commit was queued for its preview before.'),
    );
    expect(await shop.push('main')).toMatchObject(deployed);
    const causes = await ada.rpc.deployments.list.query({ id: shop.id });
    expect(causes.map(({ cause }) => cause)).toEqual(['Pushed to main on GitHub', '']);
  });

  test('has no variable of its project, but those of the group that was set', async () => {
    const group = await ada.rpc.variableGroups.create.mutate({
      name: `Staging ${randomUUID()}`,
      variables: [{ name: 'MODE', value: 'preview' }],
    });
    const token = { repositoryUsername: 'ada', repositoryToken: 'glpat-1' };
    const variables = [{ name: 'STRIPE_KEY', value: 'sk_live' }];
    const shop = await shopOf({ groupId: group.id }, { ...token, variables });
    const { job, end } = await engine.runOf((await shop.push('next')).body.deploymentId ?? '');
    expect(job.variables).toEqual({ MODE: 'preview' });
    expect(job.buildVariables).toEqual({ MODE: 'preview' });
    // It reads the repository as its project does, also with the next token.
    const { origin } = new URL(REPOSITORY);
    expect(job.repositoryCredentials).toEqual({ origin, username: 'ada', token: 'glpat-1' });
    await ada.rpc.projects.update.mutate({ id: shop.id, repositoryToken: 'glpat-2' });
    end(NO);
    const again = await engine.runOf((await shop.push('next', 2)).body.deploymentId ?? '');
    expect(again.job.repositoryCredentials).toMatchObject({ token: 'glpat-2' });
  });

  test('reads a repository over SSH by the same key', async () => {
    const repositoryUrl = 'git@git.example.com:ada/shop.git';
    const shop = await shopOf({}, { repositoryUrl });
    const { job } = await engine.runOf((await shop.push('next')).body.deploymentId ?? '');
    const [preview] = await shop.list();
    const keyOf = (id: string) => ada.rpc.deployKeys.get.query({ id });
    expect((await keyOf(preview?.id ?? '')).publicKey).toBe((await keyOf(shop.id)).publicKey);
    expect(job.deployKey?.privateKey).toContain('BEGIN OPENSSH PRIVATE KEY');
  });

  test.each<[string, Partial<PreviewSettings>, string[], string[]]>([
    [
      'matches',
      { branches: ['next', 'feature/*', '*-rc'] },
      ['next', 'feature/a', '1-rc'],
      ['nextx', 'feature', 'rc'],
    ],
    ['that is wanted, while they are on', { enabled: false }, [], ['next']],
  ])('%s gets a preview', async (_name, settings, wanted, unwanted) => {
    const shop = await shopOf(settings);
    for (const branch of wanted) expect(await shop.push(branch), branch).toMatchObject(deployed);
    for (const branch of unwanted) {
      expect(await shop.push(branch), branch).toMatchObject(ignored('The project deploys the branch main.'));
    }
    expect(await shop.list()).toHaveLength(wanted.length);
  });

  test('is refused past the limit and with a name that is not usable, and goes with its branch', async () => {
    const shop = await shopOf({ limit: 1 });
    expect(await shop.push('a b')).toMatchObject(
      refused(expect.stringContaining('Branch names can contain')),
    );
    expect(await shop.push('one')).toMatchObject(deployed);
    expect(await shop.push('two')).toMatchObject(
      refused('The project has as many previews as its settings allow: 1.'),
    );
    const [{ id } = { id: '' }] = await shop.list();
    await ada.rpc.previews.update.mutate({ id: shop.id, enabled: false });
    expect(await shop.drop('one')).toMatchObject(ignored('The branch was deleted, and its preview with it.'));
    expect(await shop.list()).toEqual([]);
    expect(await ada.rest(`GET /api/projects/${id}`)).toMatchObject({ status: 404 });
    for (const { end } of engine.runs) end({ status: 'cancelled' });
    await engine.told(engine.removed, id);
    expect(await shop.drop('one')).toMatchObject(ignored('The project deploys the branch main.'));
  });

  test('that comes at the same time as others does not get past the limit', async () => {
    const shop = await shopOf({ limit: 1 });
    const all = await Promise.all(['one', 'two', 'three'].map((branch) => shop.push(branch)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
    expect(await shop.list()).toHaveLength(1);
  });

  test("is refused past an admin's limit for the whole workspace", async () => {
    const shop = await shopOf({ limit: 20 });
    const { used } = (await ada.rpc.billing.limits.query()).previews;
    const { db } = world.deps;
    const ownerId = ada.user.id;
    await db
      .insertInto('workspaceLimits')
      .values({ ownerId, previews: used + 1 })
      .execute();
    expect(await shop.push('one')).toMatchObject(deployed);
    expect(await shop.push('two')).toMatchObject(
      refused(`An admin limits you to ${used + 1} previews. Delete one or ask an admin for more.`),
    );
    await db.deleteFrom('workspaceLimits').where('ownerId', '=', ownerId).execute();
  });

  test('that is not to be built is not, and what was set of a preview meanwhile does not stay', async () => {
    const shop = await shopOf();
    const head_commit = { id: commitOf(1), message: 'Typo [skip ci]' };
    expect(await shop.push('next', 1, { head_commit })).toMatchObject(
      ignored("The commit's message says [skip ci]."),
    );
    expect(await shop.list()).toEqual([]);
    expect(await shop.push('next')).toMatchObject(deployed);
    const [{ id } = { id: '' }] = await shop.list();
    await ada.rpc.projects.update.mutate({ id, repositoryUrl: `${REPOSITORY}/x`, branch: 'other' });
    const { body } = await shop.push('next', 2);
    for (const { end } of engine.runs) end(NO);
    const { job } = await engine.runOf(body.deploymentId ?? '');
    expect(job).toMatchObject({ repositoryUrl: REPOSITORY, branch: 'next' });
  });

  test('counts as one of the projects that a plan includes', async () => {
    const { settings } = world.deps;
    const bob = await world.as(`Bob${randomUUID().slice(0, 8)}`);
    expect(settings.billing).toBe(true);
    const { projects } = await bob.rpc.billing.limits.query();
    expect(projects).toMatchObject({ used: 0 });
    const shop = await shopOf({ limit: 20 });
    const { projects: before } = await ada.rpc.billing.limits.query();
    for (let nth = before.used; nth < (before.limit ?? 0); nth += 1) {
      expect(await shop.push(`b${nth}`)).toMatchObject(deployed);
    }
    expect(await shop.push('more')).toMatchObject(refused(expect.stringContaining('Your plan includes')));
  });
});

const PUSHED = 'What is pushed to a pull request is deployed by that push.';
const repo = (id: number) => ({ id });
const githubPull = (change: object = {}, head: object = {}) => ({
  action: 'opened',
  pull_request: {
    number: 7,
    head: { ref: 'next', sha: commitOf(1), repo: repo(1), ...head },
    base: { repo: repo(1) },
  },
  repository: { default_branch: 'main' },
  ...change,
});
const gitlabMerge = (change: object = {}) => ({
  object_attributes: {
    ...{ action: 'open', iid: 7, source_branch: 'next', last_commit: { id: commitOf(1) } },
    ...{ source_project_id: 1, target_project_id: 1 },
    ...change,
  },
});
const cloudPull = (sourceId = '{1}') => ({
  pullrequest: {
    id: 7,
    source: { branch: { name: 'next' }, commit: { hash: 'aaaaaaaaaaaa' }, repository: { uuid: sourceId } },
    destination: { branch: { name: 'main' }, repository: { uuid: '{1}' } },
  },
});
const dataCenterPull = (sourceId = 1) => ({
  pullRequest: {
    id: 7,
    fromRef: { displayId: 'next', latestCommit: commitOf(1), repository: repo(sourceId) },
    toRef: { displayId: 'main', latestCommit: commitOf(0), repository: repo(1) },
  },
});

describe('a pull request', () => {
  type Told = [event: string, payload: object];
  test.each<
    [
      string,
      {
        opened: Told;
        fork: Told;
        closed: Told;
        headers?: (event: string) => (mac: string) => Record<string, string>;
      },
    ]
  >([
    [
      'GitHub',
      {
        opened: ['pull_request', githubPull()],
        fork: ['pull_request', githubPull({ action: 'reopened' }, { repo: repo(2) })],
        closed: ['pull_request', githubPull({ action: 'closed' })],
      },
    ],
    [
      'Gitea',
      {
        opened: ['pull_request', githubPull()],
        fork: ['pull_request', githubPull({}, { repo: null })],
        closed: ['pull_request', githubPull({ action: 'closed' })],
        headers: (event) => (mac) => ({ 'x-gitea-event': event, 'x-gitea-signature': mac }),
      },
    ],
    [
      'Bitbucket',
      {
        opened: ['pullrequest:created', cloudPull()],
        fork: ['pullrequest:created', cloudPull('{2}')],
        closed: ['pullrequest:fulfilled', cloudPull()],
        headers: (event) => (mac) => ({ 'x-event-key': event, 'x-hub-signature': `sha256=${mac}` }),
      },
    ],
    [
      'Bitbucket',
      {
        opened: ['pr:opened', dataCenterPull()],
        fork: ['pr:opened', dataCenterPull(2)],
        closed: ['pr:declined', dataCenterPull()],
        headers: (event) => (mac) => ({ 'x-event-key': event, 'x-hub-signature': `sha256=${mac}` }),
      },
    ],
  ])(
    'on %s has a preview until it is closed, and none from a fork',
    async (host, { opened, fork, closed, headers }) => {
      const shop = await shopOf();
      const tell = ([event, payload]: Told) => shop.tell(event, payload, headers?.(event));
      expect(await tell(fork)).toMatchObject(ignored(expect.stringContaining('from another repository')));
      expect(await shop.list()).toEqual([]);
      const answer = await tell(opened);
      expect(answer).toMatchObject(deployed);
      expect(await shop.list()).toMatchObject([{ branch: 'next', pullRequest: 7 }]);
      const [deployment] = await ada.rpc.deployments.list.query({ id: (await shop.list())[0]?.id ?? '' });
      expect(deployment?.cause).toBe(`Pull request #7 on ${host}`);
      expect(await tell(opened)).toMatchObject(ignored('This commit was queued for its preview before.'));
      expect(await tell(closed)).toMatchObject(
        ignored('Pull request #7 was closed, and its preview with it.'),
      );
      expect(await shop.list()).toEqual([]);
    },
  );

  test('on GitLab has one as well; what is pushed to it is told by the push', async () => {
    const { id } = await ada.rpc.projects.create.mutate({ name: 'Shop', repositoryUrl: REPOSITORY });
    const { secret } = await ada.rpc.pushHooks.renewSecret.mutate({ id });
    await ada.rpc.previews.update.mutate({ id, enabled: true });
    const tell = async (change: object) => {
      const headers = { 'x-gitlab-event': 'Merge Request Hook', 'x-gitlab-token': secret };
      const body = JSON.stringify(gitlabMerge(change));
      return (await fetch(`${world.url}/api/hooks/${id}`, { method: 'POST', headers, body })).json();
    };
    const none = { result: 'ignored', reason: PUSHED };
    for (const source_project_id of [2, null])
      expect(await tell({ source_project_id })).toMatchObject(
        ignored(expect.stringContaining('from another repository')).body,
      );
    const last_commit = { id: commitOf(3), message: 'Typo [skip ci]' };
    expect(await tell({ last_commit })).toMatchObject({
      result: 'ignored',
      reason: "The commit's message says [skip ci].",
    });
    expect(await tell({})).toMatchObject({ result: 'deployed' });
    const update = { action: 'update', oldrev: commitOf(1), last_commit: { id: commitOf(2) } };
    expect(await tell(update)).toMatchObject(none);
    expect(await tell({ action: 'approved' })).toMatchObject(none);
    expect(await tell({ action: 'merge' })).toMatchObject({ result: 'ignored' });
    expect(await ada.rpc.previews.list.query({ id })).toEqual([]);
  });

  test('that is not to be built is not: by its title, or by its newest commit', async () => {
    const shop = await shopOf();
    const titled = githubPull({}, {});
    const skipped = { ...titled, pull_request: { ...titled.pull_request, title: 'Draft [skip ci]' } };
    expect(await shop.tell('pull_request', skipped)).toMatchObject(
      ignored("The pull request's title says [skip ci]."),
    );
    const head_commit = { id: commitOf(1), message: 'Typo [ci skip]' };
    await shop.push('next', 1, { head_commit });
    expect(await shop.tell('pull_request', titled)).toMatchObject(
      ignored("The commit's message says [ci skip]."),
    );
    expect(await shop.list()).toEqual([]);
    expect(await shop.push('next', 2)).toMatchObject(deployed);
    // Whoever opens it keeps the preview that is there, and closing another one does not end it.
    await shop.tell('pull_request', skipped);
    expect(await shop.list()).toMatchObject([{ branch: 'next', pullRequest: 7 }]);
  });

  test('that cannot be understood is 400, and one of the own branch deploys nothing', async () => {
    const shop = await shopOf();
    expect(await shop.tell('pull_request', { action: 'opened' })).toMatchObject({ status: 400 });
    const own = githubPull({}, { ref: 'main' });
    expect(await shop.tell('pull_request', own)).toMatchObject(
      ignored('The project deploys main by pushes to it.'),
    );
    for (const action of ['labeled', 'synchronize'])
      expect(await shop.tell('pull_request', githubPull({ action }))).toMatchObject(ignored(PUSHED));
    expect(await shop.list()).toEqual([]);
  });

  test('of a branch that was pushed before is noted, and the last of several takes the preview with it', async () => {
    const shop = await shopOf();
    expect(await shop.push('next')).toMatchObject(deployed);
    // A short form of the same commit.
    const sha = commitOf(1).slice(0, 12);
    const opened = await shop.tell('pull_request', githubPull({}, { sha }));
    expect(opened).toMatchObject(ignored('This commit was queued for its preview before.'));
    expect(await shop.list()).toMatchObject([{ pullRequest: 7 }]);
    const tell = (action: string, number: number) => {
      const { pull_request, ...rest } = githubPull({ action });
      return shop.tell('pull_request', { ...rest, pull_request: { ...pull_request, number } });
    };
    const closed = (number: number) => tell('closed', number);
    expect(await closed(6)).toMatchObject(ignored('Pull request #6 was closed, but the preview is of #7.'));
    await tell('opened', 9);
    await tell('opened', 8);
    expect(await shop.list()).toMatchObject([{ pullRequest: 9 }]);
    expect(await closed(9)).toMatchObject(ignored('Pull request #9 was closed, but the preview is of #8.'));
    expect(await closed(7)).toMatchObject(ignored('Pull request #7 was closed, but the preview is of #8.'));
    expect(await shop.list()).toMatchObject([{ pullRequest: 8 }]);
    await closed(8);
    expect(await shop.list()).toEqual([]);
  });
});

describe('a preview of a project whose databases are copied', () => {
  const URL_OF_SHOP = { name: 'DATABASE_URL', value: databaseReference({ id: '', name: 'shop' }) };

  test('works on a copy of its own, which goes with it', async () => {
    const database = await makeDatabase(ada, { name: 'shop' });
    const original = await addressOf(ada, database);
    await ask(original, 'create table orders (n int); insert into orders values (7)');
    const past = () => ada.rpc.databaseBackups.get.query({ id: database.id });
    await expect.poll(async () => (await past()).from, PATIENCE).not.toBeNull();
    const group = await ada.rpc.variableGroups.create.mutate({ name: 'Copied', variables: [URL_OF_SHOP] });
    const shop = await shopOf({ groupId: group.id, databaseIds: [database.id] });
    const databases = () => ada.rpc.databases.list.query();
    const pushed = async (nth: number) => {
      const { body } = await shop.push('next', nth);
      const run = await engine.runOf(body.deploymentId ?? '');
      run.end(NO);
      return run.job.variables.DATABASE_URL ?? '';
    };

    const copied = await pushed(1);
    expect(copied).not.toBe(original);
    expect(await ask(copied, 'select n from orders')).toEqual([[7]]);
    await ask(copied, 'delete from orders');
    expect(await ask(original, 'select n from orders')).toEqual([[7]]);
    expect((await databases()).map(({ name }) => name)).toEqual(['shop (next)', 'shop']);
    expect(await pushed(2)).toBe(copied);

    const [copy] = await databases();
    await ada.rpc.databases.remove.mutate({ id: copy?.id ?? '' });
    const [preview] = await shop.list();
    const again = await ada.rpc.deployments.create.mutate({ id: preview?.id ?? '' });
    await expect
      .poll(() => ada.rpc.deployments.get.query({ id: again.id }), PATIENCE)
      .toMatchObject({
        status: 'failed',
        error:
          'Reading variables failed: DATABASE_URL refers to databases.shop.url, but this preview has no copy of that database. Push to its branch to have one made.',
      });
    expect(await ask(await pushed(3), 'select n from orders')).toEqual([[7]]);
    expect(await shop.drop('next')).toMatchObject({ status: 200 });
    expect((await databases()).map(({ name }) => name)).toEqual(['shop']);
  });

  test('can have copies only of PostgreSQL databases of the same workspace', async () => {
    const bob = await world.as(`Bob${randomUUID().slice(0, 8)}`);
    const theirs = await makeDatabase(bob);
    const shop = await shopOf();
    const choose = (...databaseIds: string[]) =>
      ada.rest(`PATCH /api/projects/${shop.id}/preview-settings`, { body: { databaseIds } });
    expect(await choose(theirs.id)).toMatchObject({ status: 404 });
    const { id } = await makeDatabase(ada, { name: 'other' });
    await world.deps.db.updateTable('managedDatabases').set({ type: 'mysql' }).where('id', '=', id).execute();
    expect(await choose(id)).toMatchObject({
      status: 422,
      body: {
        code: 'NOT_COPIABLE',
        message: 'Only PostgreSQL databases with a server of their own can be copied, and other is none.',
      },
    });
    expect(await choose()).toMatchObject({ status: 200, body: { databaseIds: [] } });
  });
});

describe('previews', () => {
  test('are off at first, and within their bounds', async () => {
    const { id } = await ada.rpc.projects.create.mutate({ name: 'Shop', repositoryUrl: REPOSITORY });
    const path = `/api/projects/${id}/preview-settings`;
    const unset = {
      enabled: false,
      branches: ['*'],
      limit: 5,
      days: 14,
      groupId: null,
      databaseIds: [],
      previewOf: null,
    };
    expect((await ada.rest(`GET ${path}`)).body).toEqual(unset);
    for (const body of [
      ...[{ limit: 0 }, { limit: 21 }, { limit: 1.5 }, { limit: '5' }, { days: 0 }, { days: 91 }],
      ...[{ branches: [] }, { branches: [''] }, { branches: ['a*b*'] }, { branches: ['a b'] }],
      ...[{ branches: Array(21).fill('a') }, { branches: ['a'.repeat(201)] }, { groupId: 'none' }],
      ...[{ databaseIds: ['main'] }, { databaseIds: Array.from({ length: 6 }, () => randomUUID()) }],
    ]) {
      expect(await ada.rest(`PATCH ${path}`, { body }), JSON.stringify(body)).toMatchObject({ status: 400 });
    }
    const most = { enabled: true, branches: [' a ', 'a', '*'], limit: 20, days: 90 };
    expect((await ada.rest(`PATCH ${path}`, { body: most })).body).toEqual({
      ...most,
      ...{ branches: ['a', '*'], groupId: null, databaseIds: [], previewOf: null },
    });
    expect((await ada.rest(`PATCH ${path}`, { body: { days: 1 } })).body).toMatchObject({
      limit: 20,
      days: 1,
    });
    expect(await ada.rest(`PATCH ${path}`, { body: { groupId: randomUUID() } })).toMatchObject({
      status: 404,
    });
  });

  test("are their owner's, not of previews, and not of what has no repository", async () => {
    const shop = await shopOf();
    const bob = await world.as(`Bob${randomUUID().slice(0, 8)}`);
    const group = await bob.rpc.variableGroups.create.mutate({ name: 'Mine' });
    for (const route of ['preview-settings', 'previews'].map(
      (name) => `GET /api/projects/${shop.id}/${name}`,
    )) {
      expect(await bob.rest(route)).toMatchObject({ status: 404 });
      expect(await world.anyone.rest(route)).toMatchObject({ status: 401 });
    }
    const change = (id: string, body: object, person = ada) =>
      person.rest(`PATCH /api/projects/${id}/preview-settings`, { body });
    expect(await change(shop.id, { enabled: false }, bob)).toMatchObject({ status: 404 });
    expect(await change(shop.id, { groupId: group.id })).toMatchObject({ status: 404 });
    await shop.push('next');
    const [preview] = await shop.list();
    expect(await ada.rpc.previews.settings.query({ id: preview?.id ?? '' })).toMatchObject({
      previewOf: shop.id,
    });
    expect(await change(preview?.id ?? '', { enabled: true })).toMatchObject({
      ...{ status: 422, body: { code: 'IS_PREVIEW' } },
    });
    const { id } = await ada.rpc.projects.create.mutate({ name: 'Empty' });
    expect(await change(id, { enabled: true })).toMatchObject({
      ...{ status: 422, body: { code: 'NO_REPOSITORY' } },
    });
  });

  test('go with their project, and some time after the last push', async () => {
    const shop = await shopOf({ days: 2 });
    await shop.push('old');
    await shop.push('new');
    const [young, old] = await shop.list();
    const { db, domains } = world.deps;
    const age = (id: string, hours: number) =>
      sql`update previews set pushed_at = now() - make_interval(hours => ${hours}) where project_id = ${id}`.execute(
        db,
      );
    await age(old?.id ?? '', 49);
    await age(young?.id ?? '', 47);
    await domains.previews.sweeps?.previews?.();
    expect((await shop.list()).map(({ branch }) => branch)).toEqual(['new']);
    // A push that comes in between is in time.
    await age(young?.id ?? '', 49);
    const sweeping = await db.transaction().execute(async (trx) => {
      await lockAccount(trx, ada.user.id);
      const work = domains.previews.sweeps?.previews?.();
      const waiting = () =>
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        );
      await expect.poll(async () => (await waiting()).rows).toHaveLength(1);
      await age(young?.id ?? '', 0);
      return { work };
    });
    await sweeping.work;
    expect(await shop.list()).toHaveLength(1);
    await ada.rpc.projects.remove.mutate({ id: shop.id });
    expect(await ada.rest(`GET /api/projects/${young?.id}`)).toMatchObject({ status: 404 });
    for (const { end } of engine.runs) end({ status: 'cancelled' });
    for (const id of [old?.id, young?.id, shop.id]) await engine.told(engine.removed, id ?? '');
  });
});

test.each([
  ['shop', 'next', /^shop-next$/],
  ['shop', 'feature/cart', /^shop-feature-cart-[0-9a-f]{6}$/],
  ['shop', 'feature-cart', /^shop-feature-cart$/],
  ['shop', 'Next', /^shop-next-[0-9a-f]{6}$/],
  ['shop', '-/_', /^shop-[0-9a-f]{6}$/],
  ['a'.repeat(40), 'next', /^a{33}-[0-9a-f]{6}$/],
  ['shop', `fix-${'very-'.repeat(30)}long`, /^shop-fix-very-very-very-very-very-[0-9a-f]{6}$/],
])('a preview of %s for the branch %s has a host name of its own', (slug, branch, expected) => {
  const slugs = [...previewSlugsFor(slug, branch)];
  expect(slugs[0]).toMatch(expected);
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const candidate of slugs) expect(candidate).toMatch(/^(?=.{1,40}$)[a-z0-9]+(-[a-z0-9]+)*$/);
});
