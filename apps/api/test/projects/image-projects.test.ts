import { DETECTED_SETTINGS, type Project } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRegistryTokens } from '../../src/domains/containers/registry/registry-token.ts';
import { imageOfRelease } from '../../src/domains/deployments/prepare-image.ts';
import { makeToken, pushImage, registryClient } from '../containers/registry-client.ts';
import { removeProjects } from '../deployments/fixtures/remove-projects.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { callerOf, createWorld, type Person, type World } from '../world.ts';

const NO_CONTAINERS = 'Set DEPLOY_RUNTIME=docker on the server.';
const DIGEST = `sha256:${'1a'.repeat(32)}`;
const SHOP = 'ghcr.io/ada/shop:latest';
const LOGIN = { imageUsername: 'robot', imagePassword: 'hunter2 and more' };
const CREDENTIALS = { username: 'robot', password: 'hunter2 and more' };

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let bob: Person;
/** Of our own registry. */
let host: string;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine }, running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  host = world.deps.settings.publicUrl.host;
});
beforeEach(() => {
  engine.container = { available: true, reason: '' };
});
afterEach(() => removeProjects(world, engine));
afterAll(() => world.close());

async function create(input: Record<string, unknown>, person = ada): Promise<Project> {
  const answer = await person.rest('POST /api/projects', { body: { name: 'App', ...input } });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as Project;
}

async function update(id: string, body: Record<string, unknown>): Promise<Project> {
  const answer = await ada.rest(`PATCH /api/projects/${id}`, { body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as Project;
}

/** A project's newest deployment, as it came to run. */
async function runOf({ id }: Pick<Project, 'id'>) {
  const [deployment] = await ada.rpc.deployments.list.query({ id });
  return engine.runOf(deployment?.id ?? '');
}

test('is spelled out, deployed without a framework, and shows what was pulled', async () => {
  engine.missing.set('nodejs', 'Node.js is missing.');
  const project = await create({ image: ' ghcr.io/ada/shop ' });
  // Nor does its framework keep it from being saved, as long as it is an image.
  expect(await update(project.id, { framework: 'nodejs', image: SHOP })).toMatchObject({ image: SHOP });
  engine.missing.set('python', 'Python is missing.');
  const body = { framework: 'python', image: '' };
  expect(await ada.rest(`PATCH /api/projects/${project.id}`, { body })).toMatchObject({ status: 503 });
  engine.missing.clear();
  expect(project).toMatchObject({ image: SHOP, imageDigest: null, hasImageCredentials: false });
  const { job, succeed } = await runOf(project);
  expect(job.image).toEqual({ reference: SHOP, credentials: null });
  await job.onProgress({ status: 'building', step: 'pull', imageDigest: DIGEST, releaseKept: true });
  await succeed();
  const [deployment] = await ada.rpc.deployments.list.query({ id: project.id });
  expect(deployment).toMatchObject({ image: SHOP, imageDigest: DIGEST, live: true, cause: '' });
  expect(await ada.rpc.projects.get.query({ id: project.id })).toMatchObject({ imageDigest: DIGEST });
  expect(await ada.rpc.observability.events.query({ id: project.id })).toMatchObject([
    { kind: 'deployed', message: 'Deployed ghcr.io/ada/shop:latest (1a1a1a1a1a1a).' },
  ]);
  expect(await ada.rpc.projects.list.query({ search: 'ghcr.io' })).toHaveLength(1);
  // What a restart starts is there already: its registry is not asked.
  const restart = await ada.rpc.deployments.restartApp.mutate({ id: project.id });
  const again = await engine.runOf(restart.id);
  expect(again.job.image).toBeNull();
  expect(restart).toMatchObject({ image: SHOP, imageDigest: DIGEST });
  again.end({ status: 'failed', step: 'start', error: 'No.' });
});

test('has one source', async () => {
  const message = 'Choose one source: a repository, a template or an image.';
  const repositoryUrl = 'https://git.example.com/ada/app.git';
  for (const [field, other] of [
    ['image', { repositoryUrl }],
    ['template', { template: 'node-api' }],
  ] as const) {
    const body = { name: 'Two', image: 'nginx', ...other };
    expect(await ada.rest('POST /api/projects', { body })).toMatchObject({
      status: 400,
      body: { message, fields: [{ path: field, message }] },
    });
  }
  const { id } = await create({ repositoryUrl });
  expect(await ada.rest(`PATCH /api/projects/${id}`, { body: { image: 'nginx' } })).toMatchObject({
    ...{ status: 400, body: { fields: [{ path: 'image', message }] } },
  });
  const switched = await update(id, { image: 'nginx', repositoryUrl: '' });
  expect(switched).toMatchObject({ image: 'docker.io/library/nginx:latest', repositoryUrl: '' });
  // A template gives way to what is set later, as it does to a repository.
  const template = await create({ name: 'Template', template: 'node-api' });
  expect(await update(template.id, { image: 'nginx' })).toMatchObject({ template: 'node-api' });
  expect((await ada.rpc.deployments.create.mutate({ id: template.id })).image).toBe(switched.image);
});

describe('credentials', () => {
  const shown = async ({ id }: Project) => {
    const row = await world.deps.db
      .selectFrom('projects')
      .select('imageCredentials')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.imageCredentials;
  };
  /** What a new deployment is given. */
  const given = async ({ id }: Project) => {
    const deployment = await ada.rpc.deployments.create.mutate({ id });
    const { job, end } = await engine.runOf(deployment.id);
    end({ status: 'failed', step: 'pull', error: 'No.' });
    return job.image?.credentials;
  };

  test('are sealed, never listed, and given to their registry alone', async () => {
    const project = await create({ image: SHOP, ...LOGIN });
    expect(project).toMatchObject({ hasImageCredentials: true });
    expect(JSON.stringify([project, await ada.rpc.projects.list.query()])).not.toMatch(/robot|hunter2/);
    const sealed = await shown(project);
    expect(String(sealed)).not.toMatch(/robot|hunter2/);
    const first = await runOf(project);
    expect(first.job.image?.credentials).toEqual(CREDENTIALS);
    first.end({ status: 'failed', step: 'pull', error: 'No.' });
    await update(project.id, { image: 'ghcr.io/ada/other:2' });
    expect(await shown(project)).toEqual(sealed);
    expect(await given(project)).toEqual(CREDENTIALS);
    // Elsewhere they would be told to a stranger.
    expect(await update(project.id, { image: 'quay.io/ada/other:2' })).toMatchObject({
      hasImageCredentials: false,
    });
    expect(await given(project)).toBeNull();
    const other = { ...LOGIN, imagePassword: 'another' };
    await update(project.id, { image: 'registry.example.com/ada/x', ...other });
    expect(await given(project)).toEqual({ username: 'robot', password: 'another' });
    expect(await update(project.id, { imageUsername: '', imagePassword: '' })).toMatchObject({
      hasImageCredentials: false,
    });
    await update(project.id, LOGIN);
    expect(await update(project.id, { image: '', repositoryUrl: '' })).toMatchObject({
      ...{ image: '', hasImageCredentials: false },
    });
  });

  test('are both, and of an image of another registry', async () => {
    const own = () => `${host}/ada/shop`;
    for (const [body, field, message] of [
      [{ image: SHOP, imageUsername: 'x' }, 'imagePassword', 'Enter the password as well.'],
      [{ image: SHOP, imagePassword: 'x' }, 'imageUsername', 'Enter the username as well.'],
      [{ ...LOGIN }, 'imageUsername', 'Only an image has credentials.'],
      [{ image: own(), ...LOGIN }, 'imageUsername', 'Images of this registry need no credentials.'],
      [{ image: SHOP, imageUsername: 'a:b', imagePassword: 'x' }, 'imageUsername', expect.any(String)],
      [
        { image: SHOP, imageUsername: 'a', imagePassword: 'x'.repeat(8193) },
        'imagePassword',
        expect.any(String),
      ],
      [
        { image: SHOP, imageUsername: 'x'.repeat(257), imagePassword: 'x' },
        'imageUsername',
        expect.any(String),
      ],
    ] as const) {
      const answer = await ada.rest('POST /api/projects', { body: { name: 'App', ...body } });
      expect([field, answer]).toMatchObject([
        field,
        { status: 400, body: { fields: [{ path: field, message }] } },
      ]);
    }
    expect(await ada.rpc.projects.list.query()).toEqual([]);
  });
});

describe('of our own registry', () => {
  test('it is one that its owner can pull, and anything else is not there', async () => {
    const { token } = await makeToken(bob);
    const asBob = registryClient({ url: world.url, username: 'bob', password: token });
    await pushImage(asBob, 'bob/secret');
    const refused = async (repository: string) => {
      const body = { name: 'App', image: `${host}/${repository}` };
      const answer = await ada.rest('POST /api/projects', { body });
      expect(answer).toMatchObject({ status: 400, body: { fields: [{ path: 'image' }] } });
      return (answer.body as { message: string }).message.replace(repository, '…');
    };
    expect(await refused('bob/secret')).toBe(await refused('bob/absent'));
    expect(await refused('bob/secret')).toBe("… wasn't found in this registry.");
    const [image] = await bob.rpc.containers.list.query();
    await bob.rpc.containers.update.mutate({ id: image?.id ?? '', isPublic: true });
    const project = await create({ image: `${host}/bob/secret` });
    const { job, succeed } = await runOf(project);
    expect(job.image?.credentials).toMatchObject({ username: 'ada' });
    await job.onProgress({ status: 'building', step: 'pull', imageDigest: DIGEST, releaseKept: true });
    await succeed();
    await bob.rpc.containers.update.mutate({ id: image?.id ?? '', isPublic: false });
    // What is there runs on, and is asked for again when it is pulled.
    const restart = await ada.rpc.deployments.restartApp.mutate({ id: project.id });
    await (await engine.runOf(restart.id)).succeed();
    const tokens = createRegistryTokens(world.deps);
    expect(
      await imageOfRelease({ ...world.deps, tokens }, { ...restart, deploymentId: restart.id }),
    ).toBeNull();
    const { id } = await ada.rpc.deployments.create.mutate({ id: project.id });
    await expect
      .poll(() => ada.rpc.deployments.get.query({ id }))
      .toMatchObject({
        ...{ status: 'failed', step: 'pull' },
        error: "Failed to pull the image: bob/secret wasn't found in this registry.",
      });
  });

  test('nothing that is built becomes public by what was decided before', async () => {
    const project = await create({ name: 'Built', template: 'node-api' });
    const { job, end } = await runOf(project);
    const { id, name } = await ada.rpc.containers.create.mutate({ name: project.slug, isPublic: true });
    expect(name).toBe(`ada/${project.slug}`);
    await expect(job.imageTarget()).rejects.toMatchObject({
      ...{
        step: 'build',
        message: expect.stringContaining(`the repository ${name} is public. Make it private`),
      },
    });
    await ada.rpc.containers.update.mutate({ id, isPublic: false });
    const { latestDeployment } = project;
    expect((await job.imageTarget()).reference).toBe(`${host}/${name}:${latestDeployment?.id}`);
    end({ status: 'failed', step: 'build', error: 'No.' });
  });

  test('its deployment is logged in for that repository, and to pull alone', async () => {
    const { token } = await makeToken(ada);
    const asAda = registryClient({ url: world.url, username: 'ada', password: token });
    const { digest } = await pushImage(asAda, 'ada/shop', { tag: 'v1' });
    await pushImage(asAda, 'ada/other');
    const project = await create({ image: `${host}/ada/shop:v1` });
    const { job } = await runOf(project);
    expect(job.image?.reference).toBe(`${host}/ada/shop:v1`);
    const login = registryClient({ url: world.url, ...job.image?.credentials });
    expect((await login('GET', '/v2/ada/shop/manifests/v1')).headers.get('docker-content-digest')).toBe(
      digest,
    );
    const refused = async (method: string, path: string) => (await login(method, path)).status;
    expect(await refused('GET', '/v2/ada/other/manifests/latest')).toBe(401);
    expect(await refused('DELETE', '/v2/ada/shop/manifests/v1')).toBe(401);
    expect(await refused('POST', '/v2/ada/shop/blobs/uploads/')).toBe(401);
    const { username = '', password = '' } = job.image?.credentials ?? {};
    const asBob = registryClient({ url: world.url, username: 'bob', password });
    await expect(asBob('GET', '/v2/ada/shop/manifests/v1')).rejects.toThrow('no token: 401');
    for (const authorization of [`Bearer ${password}`, `Basic ${btoa(`${username}:${password}`)}`]) {
      expect((await world.anyone.rest('GET /api/projects', { headers: { authorization } })).status).toBe(401);
    }
    const catalogue = await fetch(`${world.url}/v2/token?scope=registry:catalog:*`, {
      headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
    });
    const { token: narrow } = (await catalogue.json()) as { token: string };
    const listed = await fetch(`${world.url}/v2/_catalog`, {
      headers: { authorization: `Bearer ${narrow}` },
    });
    expect(listed.status).toBe(401);
  });
});

describe('without a container runtime', () => {
  beforeEach(() => {
    engine.container = { available: false, reason: NO_CONTAINERS };
  });

  test('an image is refused with what to set, by both doors, and a Dockerfile gives way to the framework', async () => {
    const refusal = { status: 503, body: { message: NO_CONTAINERS } };
    expect(await ada.rest('POST /api/projects', { body: { name: 'App', image: 'nginx' } })).toMatchObject(
      refusal,
    );
    await expect(ada.rpc.projects.create.mutate({ name: 'App', image: 'nginx' })).rejects.toMatchObject({
      ...{ message: NO_CONTAINERS, data: { httpStatus: 503 } },
    });
    expect((await ada.rest('GET /api/runtimes/container')).body).toEqual(engine.container);
    expect(await ada.rpc.projects.containerRuntime.query()).toEqual(engine.container);
    expect((await world.anyone.rest('GET /api/runtimes/container')).status).toBe(401);
    const { id } = await create({ template: 'node-api', settings: { builder: 'dockerfile' } });
    expect(await ada.rest(`PATCH /api/projects/${id}`, { body: { image: 'nginx' } })).toMatchObject(refusal);
    expect((await ada.rest(`POST /api/projects/${id}/deployments`)).status).toBe(201);
  });

  test('one that has an image keeps it, and is not deployed', async () => {
    engine.container = { available: true, reason: '' };
    const project = await create({ image: 'nginx' });
    engine.container = { available: false, reason: NO_CONTAINERS };
    expect(await update(project.id, { name: 'Renamed', image: project.image })).toMatchObject({
      ...{ name: 'Renamed', image: project.image },
    });
    expect(await ada.rest(`POST /api/projects/${project.id}/deployments`)).toMatchObject({ status: 503 });
  });
});

test('another registry is public, unless the server admits all', async () => {
  const strict = await createWorld({
    databaseUrl: world.databaseUrl,
    overrides: { engine },
    settings: { allowPrivateRepositories: false },
  });
  try {
    const caller = callerOf(strict.url, ada.cookie);
    for (const [image, fault] of [
      ['localhost:5000/x', 'the port must be 443'],
      ['10.0.0.1/x', '10.0.0.1 is not a public address'],
    ]) {
      const body = { name: 'App', image };
      const message = `This registry is not allowed: ${fault}. Set ALLOW_PRIVATE_REPOSITORIES=1 on the server to allow it.`;
      expect(await caller.rest('POST /api/projects', { body })).toMatchObject({
        ...{ status: 400, body: { message, fields: [{ path: 'image', message }] } },
      });
    }
    const { id } = await create({ name: 'Own' });
    const own = { image: `${strict.deps.settings.publicUrl.host}/ada/shop` };
    expect((await caller.rest(`PATCH /api/projects/${id}`, { body: own })).status).toBe(200);
  } finally {
    await strict.close();
  }
});

test("somebody else's project is not there, and nobody signed out changes one", async () => {
  const { id } = await create({ image: 'nginx' });
  const body = { image: 'caddy', ...LOGIN };
  expect(await bob.rest(`PATCH /api/projects/${id}`, { body })).toMatchObject({ status: 404 });
  await expect(bob.rpc.projects.update.mutate({ id, ...body })).rejects.toMatchObject({
    data: { httpStatus: 404 },
  });
  expect((await world.anyone.rest(`PATCH /api/projects/${id}`, { body })).status).toBe(401);
  expect(await ada.rpc.projects.get.query({ id })).toMatchObject({
    ...{ image: 'docker.io/library/nginx:latest', hasImageCredentials: false },
  });
});

test('how a Dockerfile is built is set within bounds', async () => {
  const settings = {
    ...{ builder: 'dockerfile', dockerfile: './docker/Dockerfile', dockerTarget: ' prod ' },
    buildArgs: [{ name: 'PORT', value: 'a b' }],
  };
  const { id, settings: stored } = await create({ settings });
  expect(stored).toEqual({
    ...{ ...DETECTED_SETTINGS, ...settings, dockerfile: 'docker/Dockerfile', dockerTarget: 'prod' },
  });
  const arg = (name: string, value = '') => ({ name, value });
  for (const [field, change] of [
    ['builder', { builder: 'magic' }],
    ['dockerfile', { dockerfile: '../Dockerfile' }],
    ['dockerfile', { dockerfile: 'x'.repeat(201) }],
    ['dockerTarget', { dockerTarget: '--output' }],
    ['dockerTarget', { dockerTarget: 'x'.repeat(129) }],
    ['buildArgs', { buildArgs: [arg('A'), arg('A')] }],
    ['buildArgs', { buildArgs: Array.from({ length: 51 }, (_, index) => arg(`A${index}`)) }],
    ['buildArgs.0.name', { buildArgs: [arg('A-B')] }],
    ['buildArgs.0.name', { buildArgs: [arg('')] }],
    ['buildArgs.0.value', { buildArgs: [arg('A', 'x'.repeat(16_385))] }],
  ] as const) {
    const answer = await ada.rest(`PATCH /api/projects/${id}`, { body: { settings: change } });
    expect([field, answer]).toMatchObject([
      field,
      { status: 400, body: { fields: [{ path: `settings.${field}` }] } },
    ]);
  }
});
