import { createHmac, randomUUID } from 'node:crypto';
import type { PushDelivery } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { removeProjects } from '../deployments/fixtures/remove-projects.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const REPOSITORY = 'https://git.example.com/ada/shop.git';
const COMMIT = '1234567890abcdef1234567890abcdef12345678';
const BEFORE = 'abcdef1234567890abcdef1234567890abcdef12';
const NO = { status: 'failed', step: 'clone', error: 'No.' } as const;

let world: World;
let engine: ScriptedEngine;
let ada: Person;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine }, running: true });
  ada = await world.as('Ada');
});
afterEach(async () => {
  engine.missing.clear();
  await removeProjects(world, engine);
});
afterAll(() => world.close());

interface Hook {
  id: string;
  secret: string;
  /** Sends bytes as they are. */
  post(headers: Record<string, string>, body?: string): Promise<{ status: number; body: object }>;
  /** What was queued since the project was made, newest first. */
  deployed(): Promise<string[]>;
  deliveries(): Promise<PushDelivery[]>;
}

/** A project with a secret, whose first deployment has ended. */
async function hookOf(input: object = {}): Promise<Hook> {
  const { id, latestDeployment } = await ada.rpc.projects.create.mutate({
    ...{ name: 'Shop', repositoryUrl: REPOSITORY },
    ...input,
  });
  if (latestDeployment) (await engine.runOf(latestDeployment.id)).end(NO);
  const { secret } = await ada.rpc.pushHooks.renewSecret.mutate({ id });
  return {
    ...{ id, secret },
    async post(headers, body) {
      const answer = await fetch(`${world.url}/api/hooks/${id}`, {
        method: 'POST',
        headers,
        body: body ?? null,
      });
      return { status: answer.status, body: (await answer.json()) as object };
    },
    async deployed() {
      const all = await ada.rpc.deployments.list.query({ id });
      return all.filter((deployment) => deployment.id !== latestDeployment?.id).map(({ cause }) => cause);
    },
    deliveries: () => ada.rpc.pushHooks.deliveries.query({ id }),
  };
}

const hmac = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');

/** GitHub's body of a push, which Gitea and GitLab have in common with it. */
function pushOf(change: object = {}): string {
  const head = { id: COMMIT, message: 'Sell more', added: ['apps/web/a.ts'], removed: [], modified: [] };
  return JSON.stringify({
    ...{ ref: 'refs/heads/main', before: BEFORE, after: COMMIT },
    ...{ head_commit: head, commits: [head], repository: { default_branch: 'main' } },
    ...change,
  });
}

function github({ post, secret }: Hook, body = pushOf(), headers: Record<string, string> = {}) {
  return post(
    { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hmac(secret, body)}`, ...headers },
    body,
  );
}

const bitbucketHead = { type: 'branch', name: 'main', target: { hash: COMMIT, message: 'Sell' } };

describe('a push', () => {
  test.each<[string, (secret: string) => [Record<string, string>, string | undefined], string]>([
    [
      'GitHub',
      (secret) => {
        const body = `payload=${encodeURIComponent(pushOf())}`;
        const signature = { 'x-hub-signature-256': `sha256=${hmac(secret, body)}` };
        const type = { 'content-type': 'application/x-www-form-urlencoded' };
        return [{ 'x-github-event': 'push', ...type, ...signature }, body];
      },
      'Pushed to main on GitHub',
    ],
    [
      'Gitea, which sends what GitHub sends as well',
      (secret) => {
        const signature = { 'x-gitea-signature': hmac(secret, pushOf()), 'x-hub-signature-256': 'sha256=0' };
        return [{ 'x-gitea-event': 'push', 'x-github-event': 'push', ...signature }, pushOf()];
      },
      'Pushed to main on Gitea',
    ],
    [
      'GitLab',
      (secret) => [
        { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret },
        pushOf({ head_commit: undefined }),
      ],
      'Pushed to main on GitLab',
    ],
    [
      'Bitbucket Cloud',
      (secret) => {
        const body = JSON.stringify({ push: { changes: [{ new: bitbucketHead, old: null }] } });
        return [{ 'x-event-key': 'repo:push', 'x-hub-signature': `sha256=${hmac(secret, body)}` }, body];
      },
      'Pushed to main on Bitbucket',
    ],
    [
      'Bitbucket Data Center',
      (secret) => {
        const ref = { displayId: 'main', type: 'BRANCH' };
        const body = JSON.stringify({ changes: [{ ref, toHash: COMMIT, type: 'UPDATE' }] });
        const event = { 'x-event-key': 'repo:refs_changed' };
        return [{ ...event, 'x-hub-signature': `sha256=${hmac(secret, body)}` }, body];
      },
      'Pushed to main on Bitbucket',
    ],
    ['curl', (secret) => [{ authorization: `Bearer ${secret}` }, undefined], 'Push hook called'],
  ])('by %s deploys, and the deployment says so', async (_name, callOf, cause) => {
    const hook = await hookOf();
    const [headers, body] = callOf(hook.secret);
    const answer = await hook.post(headers, body);
    expect(answer).toMatchObject({ status: 200, body: { result: 'deployed', reason: '' } });
    expect(await hook.deployed()).toEqual([cause]);
    const [delivery, ...none] = await hook.deliveries();
    expect(none).toEqual([]);
    expect(delivery).toMatchObject({ ...answer.body, ...(body && { branch: 'main', commit: COMMIT }) });
    // As if it were sent by somebody who has no secret, or another one.
    const [wrong] = callOf('guessed');
    expect(await hook.post(wrong, body)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(await hook.deliveries()).toHaveLength(1);
    expect(await hook.deployed()).toHaveLength(1);
  });

  test('is refused alike without a signature, of other bytes, and of a project that is not there', async () => {
    const hook = await hookOf();
    const { headers, ...unknown } = await world.anyone.rest(`POST /api/hooks/${randomUUID()}`, { body: {} });
    const same = ({ body }: { body: unknown }) => ({ ...(body as object), requestId: '' });
    for (const answer of [
      await hook.post({}, pushOf()),
      await hook.post({}),
      await hook.post({ authorization: `Bearer ${ada.cookie}`, cookie: ada.cookie }),
      await hook.post({ 'x-hub-signature-256': `sha256=${hmac(hook.secret, pushOf())}` }, `${pushOf()} `),
      // A signature that is right beside one of a sender who is asked for first.
      await github(hook, pushOf(), { 'x-gitlab-token': 'x' }),
      await world.anyone.rest('POST /api/hooks/none', { body: {} }),
    ]) {
      expect(answer.status).toBe(401);
      expect(same(answer)).toEqual(same(unknown));
    }
    expect(headers.get('set-cookie')).toBeNull();
    expect(await hook.deliveries()).toEqual([]);
  });

  test('deploys once, however often it is delivered, and again where it was not deployed', async () => {
    const hook = await hookOf();
    const id = { 'x-github-delivery': randomUUID() };
    engine.missing.set('nodejs', 'Node.js is missing.');
    expect(await github(hook, pushOf(), id)).toMatchObject({ status: 422, body: { code: 'NOT_DEPLOYED' } });
    expect(await hook.deliveries()).toMatchObject([{ result: 'refused', reason: 'Node.js is missing.' }]);
    engine.missing.clear();
    const all = await Promise.all([1, 2, 3, 4].map(() => github(hook, pushOf(), id)));
    const [first] = all;
    expect(first).toMatchObject({ status: 200, body: { result: 'deployed' } });
    for (const answer of all) expect(answer).toEqual(first);
    expect(await hook.deployed()).toEqual(['Pushed to main on GitHub']);
    await github(hook, pushOf(), { 'x-github-delivery': randomUUID() });
    expect(await hook.deployed()).toHaveLength(2);
    expect(await hook.deliveries()).toHaveLength(3);
  });

  const commit = (file: string, message = 'x') => ({
    id: COMMIT,
    message,
    added: [],
    removed: [file],
    modified: [],
  });
  test.each<[string, object, object, string]>([
    ['of another branch', {}, { ref: 'refs/heads/next' }, 'The project deploys the branch main.'],
    ['of a tag', {}, { ref: 'refs/tags/v1' }, 'A tag was pushed, not a branch.'],
    ['that deletes the branch', {}, { after: '0'.repeat(40) }, 'The branch was deleted.'],
    [
      'that is not to be built',
      {},
      { head_commit: commit('a', 'Typo\n\n[Skip CI]') },
      "The commit's message says [Skip CI].",
    ],
    [
      'of something else than the default branch',
      { branch: '' },
      { ref: 'refs/heads/main', repository: { default_branch: 'trunk' } },
      'The project deploys the branch trunk.',
    ],
  ])('%s is listed and deploys nothing', async (_name, project, change, reason) => {
    const hook = await hookOf(project);
    const answer = await github(hook, pushOf(change));
    expect(answer).toMatchObject({ status: 200, body: { result: 'ignored', reason, deploymentId: null } });
    expect(await hook.deliveries()).toMatchObject([
      { sender: 'GitHub', event: 'push', result: 'ignored', reason },
    ]);
    expect(await hook.deployed()).toEqual([]);
  });

  test('has to change a watched path, where all that it changes is named', async () => {
    const hook = await hookOf();
    const { paths } = await ada.rpc.pushHooks.update.mutate({
      id: hook.id,
      paths: ['/apps/web/', './a.json'],
    });
    expect(paths).toEqual(['apps/web', 'a.json']);
    const result = async (change: object) => (await github(hook, pushOf(change))).body;
    const commits = [commit('apps/website/a.ts'), commit('apps/web')];
    const reason = 'None of the watched paths changed.';
    expect(await result({ commits: [commits[0]] })).toMatchObject({ result: 'ignored', reason });
    for (const change of [
      { commits },
      { commits: [commit('a.json')] },
      { commits: [commits[0]], forced: true },
      { commits: [commits[0]], before: '0'.repeat(40) },
      { commits: [commits[0]], total_commits_count: 21 },
      { commits: [] },
    ]) {
      expect(await result(change)).toMatchObject({ result: 'deployed' });
    }
  });

  test('that cannot be understood is 400, one that is too large 413, a test or another event 200', async () => {
    const hook = await hookOf();
    expect(await github(hook, '{')).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
    expect(await github(hook, '{"ref":1}')).toMatchObject({ status: 400 });
    expect(await github(hook, 'x'.repeat(1024 * 1024 + 1))).toMatchObject({ status: 413 });
    expect(await github(hook, '{"zen":"."}', { 'x-github-event': 'ping' })).toMatchObject({
      ...{ status: 200, body: { result: 'ignored', reason: 'A test of the hook. It works.' } },
    });
    expect(await github(hook, '{}', { 'x-github-event': 'star' })).toMatchObject({ status: 200 });
    expect(await hook.deployed()).toEqual([]);
  });
});

describe('a push hook', () => {
  test('has no secret until one is made, gives it to its owner alone, and keeps 50 deliveries', async () => {
    const { id } = await ada.rpc.projects.create.mutate({ name: 'Quiet' });
    const path = `/api/projects/${id}/push-hook`;
    const address = `${world.deps.settings.publicUrl.origin}/api/hooks/${id}`;
    expect((await ada.rest(`GET ${path}`)).body).toEqual({ address, enabledAt: null, paths: [] });
    expect(await ada.rest(`GET ${path}/secret`)).toMatchObject({ status: 404 });
    const first = await ada.rest(`POST ${path}/secret`);
    expect(first).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^[\w-]{43}$/) } });
    expect(await ada.rpc.pushHooks.secret.query({ id })).toEqual(first.body);
    const { secret } = await ada.rpc.pushHooks.renewSecret.mutate({ id });
    const call = async (bearer: string) =>
      (await world.anyone.rest(`POST /api/hooks/${id}`, { headers: { authorization: `Bearer ${bearer}` } }))
        .status;
    expect(await call((first.body as { secret: string }).secret)).toBe(401);
    // There is nothing to deploy from.
    for (let nth = 0; nth < 52; nth += 1) expect(await call(secret)).toBe(422);
    expect(await ada.rpc.pushHooks.deliveries.query({ id })).toHaveLength(50);
    expect(await ada.rest(`DELETE ${path}`)).toMatchObject({ status: 200 });
    expect(await call(secret)).toBe(401);
    const stored = await world.deps.db.selectFrom('pushHooks').selectAll().execute();
    expect(stored).toMatchObject([{ projectId: id, secret: null }]);
  });

  test("is its owner's, and watches paths of the repository only", async () => {
    const { id } = await hookOf();
    const bob = await world.as(`Bob${randomUUID().slice(0, 8)}`);
    const path = `/api/projects/${id}/push-hook`;
    const calls = [`GET ${path}`, `DELETE ${path}`, `GET ${path}/secret`, `POST ${path}/secret`];
    for (const route of [...calls, `GET ${path}/deliveries`]) {
      expect(await bob.rest(route)).toMatchObject({ status: 404 });
      expect(await world.anyone.rest(route)).toMatchObject({ status: 401 });
    }
    expect(await bob.rest(`PATCH ${path}`, { body: { paths: [] } })).toMatchObject({ status: 404 });
    for (const refused of [['*.ts'], ['../etc'], ['a//b'], [''], Array(51).fill('a')]) {
      expect(await ada.rest(`PATCH ${path}`, { body: { paths: refused } })).toMatchObject({ status: 400 });
    }
  });
});

test('one project takes 60 deliveries in a minute', async () => {
  const limited = await createWorld({
    ...{ databaseUrl: world.databaseUrl, overrides: { engine } },
    settings: { rateLimits: true, secretsKey: undefined, dataDir: world.deps.settings.dataDir },
  });
  try {
    const { id, secret } = await hookOf();
    const call = (authorization: string) =>
      fetch(`${limited.url}/api/hooks/${id}`, { method: 'POST', headers: { authorization } });
    const body = async (authorization: string) => (await call(authorization)).status;
    for (let nth = 0; nth < 61; nth += 1) expect(await body('Bearer wrong')).toBe(401);
    const statuses = await Promise.all(Array.from({ length: 61 }, () => body(`Bearer ${secret}`)));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  } finally {
    await limited.close();
  }
});

test('a push deploys nothing for somebody who is disabled', async () => {
  const hook = await hookOf();
  const { db } = world.deps;
  const disable = (disabledAt: string | null) =>
    db.updateTable('users').set({ disabledAt }).where('id', '=', ada.user.id).execute();
  await disable('now');
  expect(await github(hook)).toMatchObject({ status: 401 });
  await disable(null);
  expect(await hook.deployed()).toEqual([]);
});
