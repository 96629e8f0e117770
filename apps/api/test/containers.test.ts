import { randomBytes } from 'node:crypto';
import type { ContainerImage, Inputs } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type Call,
  descriptorOf,
  digestOf,
  makeToken,
  OCI_CONFIG,
  OCI_INDEX,
  OCI_LAYER,
  OCI_MANIFEST,
  pushBlob,
  pushImage,
  putManifest,
  registryClient,
} from './registry-client.ts';
import { createWorld, type Person, type World } from './world.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';

let world: World;
let ada: Person;
let bob: Person;
let call: Call;
let adaToken: { username: string; password: string };

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  adaToken = { username: ada.user.email, password: (await makeToken(ada)).token };
  call = registryClient({ url: world.url, ...adaToken });
});
afterEach(() => world.deps.db.deleteFrom('containerRepositories').execute());
afterAll(() => world.close());

async function register(person: Person, input: Partial<Inputs['containers']['create']> = {}) {
  return person.rpc.containers.create.mutate({ name: 'app', ...input });
}

async function imageOf(name: string, tag = 'latest'): Promise<ContainerImage> {
  const image = (await ada.rpc.containers.list.query()).find((one) => one.name === name && one.tag === tag);
  if (!image) throw new Error(`there is no ${name}:${tag}`);
  return image;
}

describe('registering an image', () => {
  test('reserves its name below the handle, with the defaults', async () => {
    const answer = await ada.rest('POST /api/containers', { body: { name: ' app ' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      name: 'ada/app',
      tag: 'latest',
      isPublic: false,
      size: 0,
      pullCount: 0,
      digest: null,
      mediaType: null,
      pushedAt: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(await ada.rpc.containers.list.query()).toEqual([answer.body]);
    expect((await ada.rest('GET /api/containers')).body).toEqual([answer.body]);
    expect(await bob.rpc.containers.list.query()).toEqual([]);
  });

  test.each([
    ['app', 'ada/app'],
    ['ada/app', 'ada/app'],
    ['ada', 'ada/ada'],
    ['team/app', 'ada/team/app'],
    ['bob/app', 'ada/bob/app'],
    ['a__b--c.d_e', 'ada/a__b--c.d_e'],
    ['x'.repeat(196), `ada/${'x'.repeat(196)}`],
  ])('%s is called %s', async (name, full) => {
    expect(await register(ada, { name })).toMatchObject({ name: full });
  });

  const refused: (readonly [Record<string, unknown>, string])[] = [
    ...[
      '',
      ' ',
      'App',
      'a b',
      '-a',
      'a-',
      'a..b',
      'a___b',
      '/a',
      'a/',
      'a//b',
      'ä',
      'a:b',
      '../a',
      'x'.repeat(201),
    ].map((name) => [{ name }, 'name'] as const),
    [{ name: 'x'.repeat(197) }, 'name'],
    [{ name: undefined }, 'name'],
    [{ name: 5 }, 'name'],
    ...['', '.a', '-a', 'a b', 'a/b', 'ä', 'x'.repeat(129)].map((tag) => [{ tag }, 'tag'] as const),
    [{ isPublic: 'yes' }, 'isPublic'],
  ];

  test.each(refused)('refuses %j by naming the field, at both doors', async (input, path) => {
    const body = { name: 'app', ...input };
    const fields = expect.arrayContaining([expect.objectContaining({ path })]);
    const rest = await ada.rest('POST /api/containers', { body });
    expect(rest).toMatchObject({ status: 400, body: { code: 'VALIDATION', fields } });
    const rpc = await ada.rest('POST /trpc/containers.create', { body });
    expect(rpc).toMatchObject({ status: 400, body: { error: { data: { reason: 'VALIDATION', fields } } } });
    expect(await ada.rpc.containers.list.query()).toEqual([]);
  });

  test('is refused twice, and taken under another tag as another card', async () => {
    await register(ada);
    const again = await ada.rest('POST /api/containers', { body: { name: 'ada/app' } });
    const message = 'You already have an image ada/app:latest.';
    expect(again).toMatchObject({ status: 409, body: { code: 'EXISTS', message } });
    await expect(register(ada)).rejects.toMatchObject({ data: { httpStatus: 409, reason: 'EXISTS' } });
    await register(ada, { tag: 'x'.repeat(128) });
    expect(await ada.rpc.containers.list.query()).toHaveLength(2);
    await register(bob);
    expect(await bob.rpc.containers.list.query()).toMatchObject([{ name: 'bob/app' }]);
  });

  test('at once by many happens once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ada.rest('POST /api/containers', { body: { name: 'app' } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  test('says for the whole repository whether it is public, and nothing where it does not say', async () => {
    await register(ada, { isPublic: true });
    expect(await register(ada, { tag: 'v2' })).toMatchObject({ isPublic: true });
    await register(ada, { tag: 'v3', isPublic: false });
    expect((await ada.rpc.containers.list.query()).map(({ isPublic }) => isPublic)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('takes nothing that the server decides', async () => {
    const forged = { name: 'app', size: 5, pullCount: 9, digest: digestOf('x'), ownerId: bob.user.id };
    const { body } = await ada.rest('POST /api/containers', { body: forged });
    expect(body).toMatchObject({ size: 0, pullCount: 0, digest: null });
  });

  test('does not show the tag to clients before a push fills it', async () => {
    await register(ada);
    expect((await call('GET', '/v2/ada/app/tags/list')).json()).toEqual({ name: 'ada/app', tags: [] });
    expect((await call('GET', '/v2/ada/app/manifests/latest')).status).toBe(404);
    const reserved = await imageOf('ada/app');
    const { digest, content } = await pushImage(call, 'ada/app');
    expect(await imageOf('ada/app')).toMatchObject({ id: reserved.id, digest, mediaType: OCI_MANIFEST });
    expect(content).toContain(OCI_MANIFEST);
  });
});

describe('a push', () => {
  test('makes the card by itself, private, with the compressed size', async () => {
    const { digest, layer, config } = await pushImage(call, 'ada/app', { tag: 'v1' });
    expect(await imageOf('ada/app', 'v1')).toMatchObject({
      digest,
      isPublic: false,
      size: layer.size + config.size,
      pullCount: 0,
      pushedAt: expect.any(String),
    });
  });

  test('again under the same tag moves it, and keeps its pulls', async () => {
    await pushImage(call, 'ada/app');
    await call('GET', '/v2/ada/app/manifests/latest');
    const before = await imageOf('ada/app');
    const { digest } = await pushImage(call, 'ada/app');
    expect(await imageOf('ada/app')).toMatchObject({ id: before.id, digest, pullCount: 1 });
    expect(digest).not.toBe(before.digest);
  });

  test('of an index counts each blob of its platforms once', async () => {
    const shared = randomBytes(5000);
    const one = await pushImage(call, 'ada/app', { tag: 'one', layer: shared });
    const configText = Buffer.from(JSON.stringify({ os: 'linux', architecture: 'arm64' }));
    const own = randomBytes(300);
    await pushBlob(call, 'ada/app', configText);
    await pushBlob(call, 'ada/app', own);
    const two = JSON.stringify({
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      config: descriptorOf(OCI_CONFIG, configText),
      layers: [descriptorOf(OCI_LAYER, shared), descriptorOf(OCI_LAYER, own), descriptorOf(OCI_LAYER, own)],
    });
    await putManifest(call, 'ada/app', digestOf(two), two);
    const platforms = [
      { ...descriptorOf(OCI_MANIFEST, one.content), platform: { os: 'linux', architecture: 'amd64' } },
      { ...descriptorOf(OCI_MANIFEST, two), platform: { os: 'linux', architecture: 'arm64', variant: 'v8' } },
    ];
    const index = JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests: platforms });
    expect((await putManifest(call, 'ada/app', 'multi', index, OCI_INDEX)).status).toBe(201);
    const card = await imageOf('ada/app', 'multi');
    expect(card.size).toBe(5000 + one.config.size + configText.length + 300);
    const detail = await ada.rpc.containers.get.query({ id: card.id });
    expect(detail.platforms).toMatchObject([
      { os: 'linux', architecture: 'amd64', variant: '', digest: one.digest, size: 5000 + one.config.size },
      { architecture: 'arm64', variant: 'v8', size: 5300 + configText.length, layers: [{}, {}, {}] },
    ]);
  });
});

describe('pulls', () => {
  test('are counted by the GET of a tag, or of the digest it names, and by nothing else', async () => {
    const { digest, layer } = await pushImage(call, 'ada/app');
    const count = async () => (await imageOf('ada/app')).pullCount;
    await call('HEAD', '/v2/ada/app/manifests/latest');
    await call('HEAD', `/v2/ada/app/manifests/${digest}`);
    await call('GET', `/v2/ada/app/blobs/${layer.digest}`);
    await call('GET', '/v2/ada/app/tags/list');
    expect(await count()).toBe(0);
    await call('GET', '/v2/ada/app/manifests/latest');
    expect(await count()).toBe(1);
    await call('GET', `/v2/ada/app/manifests/${digest}`);
    expect(await count()).toBe(2);
  });
});

describe('the page of an image', () => {
  test('has its tags, platform, layers and referrers', async () => {
    const { digest, layer, config, content } = await pushImage(call, 'ada/app', { tag: 'v1' });
    await register(ada, { tag: 'later' });
    await pushBlob(call, 'ada/app', Buffer.from('{}'));
    const empty = descriptorOf('application/vnd.oci.empty.v1+json', '{}');
    const signature = JSON.stringify({
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      artifactType: 'application/vnd.example.signature',
      config: empty,
      layers: [empty],
      subject: descriptorOf(OCI_MANIFEST, content),
      annotations: { by: 'Ada\u0000' },
    });
    expect((await putManifest(call, 'ada/app', digestOf(signature), signature)).status).toBe(201);
    const card = await imageOf('ada/app', 'v1');
    const { body } = await ada.rest(`GET /api/containers/${card.id}`);
    const [repository] = await ada.rpc.containers.repositories.query();
    expect(body).toEqual({
      ...card,
      repositoryId: repository?.id,
      tags: [
        { id: card.id, tag: 'v1', digest, size: card.size, pullCount: 0, pushedAt: card.pushedAt },
        expect.objectContaining({ tag: 'later', digest: null, size: 0, pushedAt: null }),
      ],
      platforms: [
        {
          digest,
          mediaType: OCI_MANIFEST,
          os: 'linux',
          architecture: 'amd64',
          variant: '',
          size: layer.size + config.size,
          layers: [layer],
        },
      ],
      referrers: [
        {
          digest: digestOf(signature),
          mediaType: OCI_MANIFEST,
          artifactType: 'application/vnd.example.signature',
          size: signature.length,
          annotations: { by: 'Ada\u0000' },
        },
      ],
      // The signature goes with what it signs, its blob with it.
      deletion: {
        manifests: 2,
        blobs: 3,
        size: content.length + layer.size + config.size + signature.length + empty.size,
      },
    });
  });

  test('is empty before the first push', async () => {
    const card = await register(ada);
    expect(await ada.rpc.containers.get.query({ id: card.id })).toMatchObject({
      tags: [{ id: card.id }],
      platforms: [],
      referrers: [],
    });
  });
});

describe('what is public', () => {
  test('is so with all tags of the repository, at both doors', async () => {
    await pushImage(call, 'ada/app', { tag: 'v1' });
    await pushImage(call, 'ada/app', { tag: 'v2' });
    const { id } = await imageOf('ada/app', 'v1');
    const answer = await ada.rest(`PATCH /api/containers/${id}`, { body: { isPublic: true } });
    expect(answer).toMatchObject({ status: 200, body: { id, isPublic: true } });
    expect(await imageOf('ada/app', 'v2')).toMatchObject({ isPublic: true });
    await ada.rpc.containers.update.mutate({ id, isPublic: false });
    expect(await imageOf('ada/app', 'v2')).toMatchObject({ isPublic: false });
  });

  test('ends with the last tag', async () => {
    await pushImage(call, 'ada/app', { tag: 'v1' });
    await pushImage(call, 'ada/app', { tag: 'v2' });
    const first = await imageOf('ada/app', 'v1');
    const second = await imageOf('ada/app', 'v2');
    await ada.rpc.containers.update.mutate({ id: first.id, isPublic: true });
    expect((await ada.rest(`DELETE /api/containers/${first.id}`)).body).toEqual({ success: true });
    expect(await imageOf('ada/app', 'v2')).toMatchObject({ isPublic: true });
    await ada.rpc.containers.remove.mutate({ id: second.id });
    expect(await ada.rpc.containers.list.query()).toEqual([]);
    expect((await call('GET', '/v2/ada/app/tags/list')).json()).toMatchObject({ tags: [] });
    await pushImage(call, 'ada/app', { tag: 'v3' });
    expect(await imageOf('ada/app', 'v3')).toMatchObject({ isPublic: false });
  });
});

describe("somebody else's image", () => {
  test.each(['GET', 'PATCH', 'DELETE'])('is not there for %s', async (method) => {
    const { id } = await register(ada);
    const options = method === 'PATCH' ? { body: { isPublic: true } } : {};
    const foreign = await bob.rest(`${method} /api/containers/${id}`, options);
    const absent = await bob.rest(`${method} /api/containers/${ABSENT}`, options);
    expect([foreign.status, absent.status]).toEqual([404, 404]);
    expect({ ...(foreign.body as object), requestId: '' }).toEqual({
      ...(absent.body as object),
      requestId: '',
    });
    expect((await bob.rest(`${method} /api/containers/nonsense`, options)).status).toBe(404);
    expect(await imageOf('ada/app')).toMatchObject({ isPublic: false });
  });
});

test('the list is paged by its last id', async () => {
  for (const tag of ['a', 'b', 'c']) await register(ada, { tag });
  const first = await ada.rest('GET /api/containers?limit=2');
  const page = first.body as ContainerImage[];
  expect(page.map(({ tag }) => tag)).toEqual(['c', 'b']);
  const rest = await ada.rpc.containers.list.query({ limit: 2, cursor: page[1]?.id });
  expect(rest.map(({ tag }) => tag)).toEqual(['a']);
});

test('the address of the registry is the console’s own', async () => {
  const { host } = world.deps.settings.publicUrl;
  expect((await ada.rest('GET /api/registry')).body).toEqual({ host, secure: false });
});

test('an access token does it all within its scope', async () => {
  const headers = { authorization: `Bearer ${adaToken.password}` };
  const created = await world.anyone.rest('POST /api/containers', { headers, body: { name: 'by-token' } });
  expect(created.status).toBe(201);
  const { token } = await makeToken(ada, 'read');
  const reader = { authorization: `Bearer ${token}` };
  expect((await world.anyone.rest('GET /api/containers', { headers: reader })).status).toBe(200);
  const refused = await world.anyone.rest('POST /api/containers', { headers: reader, body: { name: 'no' } });
  expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});

test('someone signed out sees nothing', async () => {
  for (const route of ['GET /api/containers', `GET /api/containers/${ABSENT}`, 'GET /api/registry']) {
    expect((await world.anyone.rest(route)).status).toBe(401);
  }
  await expect(world.anyone.rpc.containers.list.query()).rejects.toMatchObject({ data: { httpStatus: 401 } });
});

test('deleting the account takes its images along, and leaves what others share', async () => {
  const eve = await world.as('Eve');
  const { token } = await makeToken(eve);
  const layer = randomBytes(400);
  await pushImage(registryClient({ url: world.url, username: 'eve', password: token }), 'eve/app', { layer });
  await pushImage(call, 'ada/app', { layer });
  await world.deps.db.deleteFrom('users').where('id', '=', eve.user.id).execute();
  expect((await call('GET', `/v2/ada/app/blobs/${digestOf(layer)}`)).body.equals(layer)).toBe(true);
  const { rows } = await sql`select from container_images where owner_id = ${eve.user.id}`.execute(
    world.deps.db,
  );
  expect(rows).toEqual([]);
});
