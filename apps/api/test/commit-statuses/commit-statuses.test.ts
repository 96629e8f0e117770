import { createHmac, randomUUID } from 'node:crypto';
import type { CommitStatus } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gitHostAt, type Report, statusCall } from '../../src/domains/commit-statuses/git-hosts.ts';
import { HostAway, sendStatus } from '../../src/domains/commit-statuses/send-status.ts';
import { endedUntold } from '../../src/domains/commit-statuses/tell-host.ts';
import { removeProjects } from '../deployments/fixtures/remove-projects.ts';
import { ScriptedEngine, type ScriptedRun } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { type Refusing, type StatusServer, startStatusServer } from './status-server.ts';

const COMMIT = '1234567890abcdef1234567890abcdef12345678';
const FAILED = { status: 'failed', step: 'build', error: 'hunter2 is no module' } as const;

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let host: StatusServer;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine }, running: true });
  ada = await world.as('Ada');
});
beforeEach(async () => {
  host = await startStatusServer();
});
afterEach(async () => {
  await removeProjects(world, engine);
  await host.close();
});
afterAll(() => world.close());

/** Deliveries that say what runs at the host, and deploy nothing. */
const SENDERS: Record<string, (secret: string) => Record<string, string>> = {
  GitHub: (secret) => ({ 'x-github-event': 'ping', 'x-hub-signature-256': `sha256=${hmac(secret)}` }),
  Gitea: (secret) => ({ 'x-gitea-event': 'ping', 'x-gitea-signature': hmac(secret) }),
  GitLab: (secret) => ({ 'x-gitlab-event': 'ping', 'x-gitlab-token': secret }),
  Bitbucket: (secret) => ({
    'x-event-key': 'diagnostics:ping',
    'x-hub-signature': `sha256=${hmac(secret)}`,
  }),
};
const hmac = (secret: string) => createHmac('sha256', secret).update('{}').digest('hex');

/** A project of a repository at the loopback host, of which a push hook was told by `sender`. */
async function projectOf(sender: string, input: object = {}) {
  const repositoryUrl = `${host.origin}/acme/team/shop.git`;
  const access = { repositoryUsername: 'ada', repositoryToken: 'right' };
  const { id, slug } = await ada.rpc.projects.create.mutate({ name: 'Shop' });
  const { secret } = await ada.rpc.pushHooks.renewSecret.mutate({ id });
  const headers = SENDERS[sender]?.(secret);
  if (headers) await fetch(`${world.url}/api/hooks/${id}`, { method: 'POST', headers, body: '{}' });
  await ada.rpc.projects.update.mutate({ id, repositoryUrl, ...access, ...input });
  return { id, slug };
}

/** A deployment whose commit is known. */
async function deploy(id: string): Promise<ScriptedRun & { id: string }> {
  const deployment = await ada.rpc.deployments.create.mutate({ id });
  const run = await engine.runOf(deployment.id);
  await run.job.onProgress({ step: 'clone', commit: COMMIT, commitMessage: 'Sell more' });
  return { ...run, id: deployment.id };
}

const statusOf = (id: string) => ada.rpc.commitStatuses.get.query({ id });
const waitFor = (id: string, told: Partial<CommitStatus>) =>
  expect.poll(() => statusOf(id)).toMatchObject(told);

describe('a deployed commit', () => {
  test.each([
    ['GitHub', 'acme/shop', ['pending', 'success']],
    ['Gitea', 'acme/shop', ['pending', 'success']],
    ['GitLab', 'acme/team/shop', ['pending', 'success']],
    ['Bitbucket', '', ['INPROGRESS', 'SUCCESSFUL']],
  ])('is told to %s as it is deployed and as it is live', async (sender, repository, states) => {
    const repositoryUrl = `${host.origin}/${repository || 'scm/shop'}.git`;
    const { id, slug } = await projectOf(sender, { repositoryUrl, repositoryToken: 'right' });
    const deployment = await deploy(id);
    await waitFor(id, { state: 'pending', problem: '', deploymentId: deployment.id });
    await deployment.succeed();
    await waitFor(id, { state: 'success', problem: '', deploymentId: deployment.id });
    const { publicUrl } = world.deps.settings;
    const page = `${publicUrl.origin}/projects/${id}/log?deployment=${deployment.id}`;
    const same = { host: sender, repository, commit: COMMIT, name: `nephos/${slug}`, page };
    expect(host.taken).toEqual([
      { ...same, state: states[0], description: 'Deploying' },
      { ...same, state: states[1], description: expect.stringMatching(`^Live at http://${slug}\\.`) },
    ]);
  });

  test('is told to have failed, without a word of what a program wrote, and told once', async () => {
    const { id } = await projectOf('GitLab');
    const deployment = await deploy(id);
    await deployment.job.onProgress({ commit: COMMIT });
    await waitFor(id, { state: 'pending' });
    deployment.end(FAILED);
    await waitFor(id, { state: 'failure', problem: '' });
    expect(host.taken.map(({ state }) => state)).toEqual(['pending', 'failed']);
    expect(JSON.stringify(host.taken)).not.toContain('hunter2');
  });

  test('that ended while nothing could be told is told after the next start', async () => {
    const { id } = await projectOf('GitLab');
    const deployment = await deploy(id);
    await waitFor(id, { state: 'pending' });
    const { db, domains } = world.deps;
    await db.updateTable('deployments').set({ status: 'failed' }).where('id', '=', deployment.id).execute();
    await domains.commitStatuses.resume?.();
    await waitFor(id, { state: 'failure', problem: '' });
    await domains.commitStatuses.sweeps?.commitStatuses?.();
    expect(host.taken.map(({ state }) => state)).toEqual(['pending', 'failed']);
  });

  test('is asked about no more once there is nothing that it can be told with', async () => {
    const { id } = await projectOf('GitLab');
    const deployment = await deploy(id);
    await waitFor(id, { state: 'pending' });
    const { db, domains } = world.deps;
    await db.updateTable('projects').set({ repositoryCredentials: null }).where('id', '=', id).execute();
    await db.updateTable('deployments').set({ status: 'failed' }).where('id', '=', deployment.id).execute();
    expect(await endedUntold(db)).toHaveLength(1);
    await domains.commitStatuses.sweeps?.commitStatuses?.();
    await expect.poll(() => endedUntold(db)).toEqual([]);
    expect(host.taken.map(({ state }) => state)).toEqual(['pending']);
  });

  test('that was cancelled has failed; a start of a kept release is not told', async () => {
    const { id } = await projectOf('GitHub', { repositoryUrl: `${host.origin}/acme/shop` });
    const first = await deploy(id);
    await ada.rpc.deployments.cancel.mutate({ id: first.id });
    await waitFor(id, { state: 'failure' });
    const second = await deploy(id);
    await second.job.onProgress({ releaseKept: true });
    await second.succeed();
    await waitFor(id, { state: 'success' });
    const restart = await ada.rpc.deployments.restartApp.mutate({ id });
    await (await engine.runOf(restart.id)).succeed();
    await deploy(id);
    // Of one project, one after the other: a restart would have been told before.
    await waitFor(id, { state: 'pending' });
    const descriptions = host.taken.map(({ description }) => description.split(' ').at(-1));
    expect(descriptions).toEqual([
      'Deploying',
      'cancelled',
      'Deploying',
      expect.stringContaining('http'),
      'Deploying',
    ]);
  });
});

describe('a host', () => {
  test.each([401, 403, 404])(
    'that answers %i refused the token, and the deployment goes on',
    async (status) => {
      const { id } = await projectOf('GitLab');
      host.refuse.push({ status });
      const deployment = await deploy(id);
      const { host: name } = new URL(host.origin);
      await waitFor(id, { state: 'pending', problem: expect.stringContaining(`${name} refused the token.`) });
      expect(host.asked).toHaveLength(1);
      await deployment.succeed();
      // The token was given the right meanwhile.
      await waitFor(id, { state: 'success', problem: '' });
      expect(await ada.rpc.deployments.get.query({ id: deployment.id })).toMatchObject({ status: 'running' });
      // What another token is good for is not known yet.
      await ada.rpc.projects.update.mutate({ id, repositoryToken: 'other' });
      expect(await statusOf(id)).toMatchObject({ deploymentId: null, problem: '' });
    },
  );

  test('that is away is asked again, and then told what holds by then', async () => {
    const { id } = await projectOf('GitLab');
    host.refuse.push({ status: 502 });
    const deployment = await deploy(id);
    await waitFor(id, { problem: expect.stringMatching(/not taking commit statuses now \(HTTP 502\)/) });
    deployment.end(FAILED);
    await waitFor(id, { state: 'failure', problem: '' });
    expect(host.taken.map(({ state }) => state)).toEqual(['failed']);
    expect(host.asked).toHaveLength(2);
  });

  test.each<Refusing>([
    { status: 503 },
    { status: 429 },
    { status: 403, headers: { 'x-ratelimit-remaining': '0' } },
    { status: 403, headers: { 'retry-after': '60' } },
  ])('that answers %o is to be asked again', async (refusing) => {
    host.refuse.push(refusing);
    const call = { url: new URL('/api/v4/projects/1/statuses/c', host.origin), authorization: '', body: {} };
    const asking = sendStatus(call, { signal: AbortSignal.timeout(10_000), allowPrivate: true });
    await expect(asking).rejects.toThrow(`now (HTTP ${refusing.status}).`);
    await expect(asking).rejects.toBeInstanceOf(HostAway);
  });

  test('that knows already what it is told has it', async () => {
    host.refuse.push({
      status: 400,
      body: '{"message":"Cannot transition status via :enqueue from :pending"}',
    });
    const call = { url: new URL('/api/v4/projects/1/statuses/c', host.origin), authorization: '', body: {} };
    expect(await sendStatus(call, { signal: AbortSignal.timeout(10_000), allowPrivate: true })).toBe('');
  });

  test('is sent nowhere else with the token, and other refusals are told with their number', async () => {
    const elsewhere = await startStatusServer();
    try {
      const { id } = await projectOf('GitLab');
      host.refuse.push({ status: 307, headers: { location: `${elsewhere.origin}/api/v4/projects/1` } });
      const deployment = await deploy(id);
      await waitFor(id, { problem: expect.stringContaining('has the repository at another address') });
      host.refuse.push({ status: 422 });
      deployment.end(FAILED);
      await waitFor(id, {
        state: 'failure',
        problem: expect.stringContaining('did not take it (HTTP 422).'),
      });
      expect(elsewhere.asked).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  test('of which nobody knows what it runs is not asked, and neither is one without a token', async () => {
    const unknown = await projectOf('nobody');
    await deploy(unknown.id);
    await waitFor(unknown.id, { problem: expect.stringContaining('first delivery of the push hook') });
    const { id } = await projectOf('GitLab', { repositoryUsername: '', repositoryToken: '' });
    await (await deploy(id)).succeed();
    const nothing = { deploymentId: null, state: null, toldAt: null, problem: '' };
    expect((await ada.rest(`GET /api/projects/${id}/commit-status`)).body).toEqual(nothing);
    expect(host.asked).toEqual([]);
    const bob = await world.as(`Bob${randomUUID().slice(0, 8)}`);
    const path = `GET /api/projects/${unknown.id}/commit-status`;
    expect(await bob.rest(path)).toMatchObject({ status: 404 });
    expect(await world.anyone.rest(path)).toMatchObject({ status: 401 });
  });
});

describe('addresses', () => {
  const report: Report = { ...{ state: 'success', commit: COMMIT, slug: 'shop' }, description: '', page: '' };
  const callFor = (repositoryUrl: string, username = 'x-access-token', sender = '') => {
    const { origin } = new URL(repositoryUrl);
    const kind = gitHostAt(origin, sender);
    if (!kind) throw new Error('nobody knows what runs there');
    const { url, authorization } = statusCall(kind, repositoryUrl, { origin, username, token: 't' }, report);
    return `${url.href} ${authorization}`;
  };

  test.each([
    ['https://github.com/a/b.git', `https://api.github.com/repos/a/b/statuses/${COMMIT} Bearer t`],
    ['https://gitlab.com/a/c/b/', `https://gitlab.com/api/v4/projects/a%2Fc%2Fb/statuses/${COMMIT} Bearer t`],
    ['https://codeberg.org/a/b', `https://codeberg.org/api/v1/repos/a/b/statuses/${COMMIT} token t`],
    [
      'https://bitbucket.org/a/b.git',
      `https://api.bitbucket.org/2.0/repositories/a/b/commit/${COMMIT}/statuses/build Bearer t`,
    ],
  ])('%s is told by its API, whatever a hook says that it is', (repositoryUrl, call) => {
    expect(callFor(repositoryUrl)).toBe(call);
    expect(callFor(repositoryUrl, 'x-access-token', 'Gitea')).toBe(call);
  });

  test('that are not public are not asked, and a name is asked where it was looked up', async () => {
    const { port } = new URL(host.origin);
    const signal = AbortSignal.timeout(10_000);
    const call = (origin: string) => ({
      url: new URL('/api/v4/projects/a%2Fb/statuses/c', origin),
      ...{ authorization: 'Bearer right', body: {} },
    });
    const resolve = async () => ['93.184.215.14', '127.0.0.1'];
    for (const origin of ['https://git.example.com', 'https://127.0.0.1', host.origin]) {
      const refused = await sendStatus(call(origin), { signal, allowPrivate: false, resolve });
      expect(refused).toBe(`${new URL(origin).host} is not a public address.`);
    }
    expect(host.asked).toEqual([]);
    const here = async () => ['127.0.0.1'];
    const named = call(`http://git.example.com:${port}`);
    expect(await sendStatus(named, { signal, allowPrivate: true, resolve: here })).toContain('refused');
    expect(host.asked).toHaveLength(1);
  });
});
