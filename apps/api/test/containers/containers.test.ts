import { randomBytes } from 'node:crypto';
import type { ContainerImage } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { imageOf, register } from './container-images.ts';
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

let world: World;
let ada: Person;
let call: Call;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  call = registryClient({ url: world.url, username: 'ada', password: (await makeToken(ada)).token });
});
afterEach(() => world.deps.db.deleteFrom('containerRepositories').execute());
afterAll(() => world.close());

describe('a push', () => {
  test('makes the card by itself, private, with the compressed size', async () => {
    const { digest, layer, config } = await pushImage(call, 'ada/app', { tag: 'v1' });
    expect(await imageOf(ada, 'ada/app', 'v1')).toMatchObject({
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
    const before = await imageOf(ada, 'ada/app');
    const { digest } = await pushImage(call, 'ada/app');
    expect(await imageOf(ada, 'ada/app')).toMatchObject({ id: before.id, digest, pullCount: 1 });
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
    const card = await imageOf(ada, 'ada/app', 'multi');
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
    const count = async () => (await imageOf(ada, 'ada/app')).pullCount;
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
    const card = await imageOf(ada, 'ada/app', 'v1');
    const { body } = await ada.rest(`GET /api/containers/${card.id}`);
    const [repository] = await ada.rpc.containers.repositories.query();
    expect(body).toEqual({
      ...card,
      repositoryId: repository?.id,
      tags: [
        {
          ...{ id: card.id, tag: 'v1', digest, size: card.size, pullCount: 0, pushedAt: card.pushedAt },
          keptBecause: '',
        },
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
      keptBecause: '',
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
  expect((await ada.rest('GET /api/registry')).body).toEqual({ host, secure: false, namespace: 'ada' });
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
