import { randomBytes, randomUUID } from 'node:crypto';
import type { ContainerImageDetail } from '@nephos/contracts';
import { PLANS } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf, type RegistryAnswer } from './registry-client.ts';
import {
  faultsOf,
  type Made,
  makeImage,
  makeIndex,
  pushMade,
  removeTag,
  usedBytes,
} from './registry-space-world.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

const random = () => randomBytes(1000);
const sizeOf = (...parts: (Made | Buffer)[]) =>
  parts.reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : part.content.length), 0);
const newName = () => `ada/${randomUUID()}`;
const used = () => usedBytes(registry.world, registry.ada);

async function detailOf(name: string, tag: string): Promise<ContainerImageDetail> {
  const { ada } = registry;
  const card = (await ada.rpc.containers.list.query()).find(
    (image) => image.name === name && image.tag === tag,
  );
  return ada.rpc.containers.get.query({ id: card?.id ?? '' });
}

const push = (name: string, image: Made, tag?: string) => pushMade(registry.asAda, name, image, tag);
const head = async (name: string, kind: 'blobs' | 'manifests', digest: string) =>
  (await registry.asAda('HEAD', `/v2/${name}/${kind}/${digest}`)).status;
const faults = (name: string, tag: string) => faultsOf(registry.asAda, name, tag);

/** Deletes a tag, and expects that what was announced is what it frees. */
async function remove(name: string, tag: string): Promise<ContainerImageDetail['deletion']> {
  const before = await used();
  const { deletion } = await detailOf(name, tag);
  await removeTag(registry.ada, name, tag);
  expect(before - (await used())).toBe(deletion.size);
  return deletion;
}

describe('a tag that is deleted in the console', () => {
  test('takes its manifest and blobs along', async () => {
    const name = newName();
    const blobs = [random(), random(), random()] as const;
    const [config, ...layers] = blobs;
    const image = makeImage(config, layers);
    await push(name, image, 'v1');
    expect(await remove(name, 'v1')).toEqual({ manifests: 1, blobs: 3, size: sizeOf(image, ...blobs) });
    expect(await head(name, 'manifests', image.digest)).toBe(404);
    for (const blob of blobs) expect(await head(name, 'blobs', digestOf(blob))).toBe(404);
  });

  test('leaves the blobs that another image uses, and those of other repositories', async () => {
    const [name, elsewhere] = [newName(), newName()];
    const [shared, own, other, config] = [random(), random(), random(), random()];
    const [first, second] = [makeImage(config, [shared, own]), makeImage(config, [shared, other])];
    await push(name, first, 'v1');
    await push(name, second, 'v2');
    await push(elsewhere, first, 'v1');
    expect(await remove(name, 'v1')).toEqual({ manifests: 1, blobs: 1, size: sizeOf(first, own) });
    expect([...(await faults(name, 'v2')), ...(await faults(elsewhere, 'v1'))]).toEqual([]);
  });

  test('goes alone where another tag names the same image', async () => {
    const name = newName();
    const image = makeImage(random(), [random()]);
    await push(name, image, 'v1');
    await push(name, image, 'v2');
    expect(await remove(name, 'v1')).toEqual({ manifests: 0, blobs: 0, size: 0 });
    expect(await faults(name, 'v2')).toEqual([]);
    expect((await remove(name, 'v2')).manifests).toBe(1);
  });

  test('goes alone where it was only reserved', async () => {
    const { name } = await registry.ada.rpc.containers.create.mutate({ name: newName() });
    expect(await remove(name, 'latest')).toEqual({ manifests: 0, blobs: 0, size: 0 });
  });

  test('takes the platforms of an index along, but those that have a tag or another index', async () => {
    const name = newName();
    const [alone, tagged, shared] = [1, 2, 3].map(() => makeImage(random(), [random()])) as [
      Made,
      Made,
      Made,
    ];
    await push(name, alone);
    await push(name, tagged, 'arm64');
    await push(name, shared);
    await push(name, makeIndex([alone, tagged, shared]), 'v1');
    await push(name, makeIndex([shared]), 'v2');
    expect(await remove(name, 'v1')).toMatchObject({ manifests: 2, blobs: 2 });
    expect(await head(name, 'manifests', alone.digest)).toBe(404);
    expect([...(await faults(name, 'arm64')), ...(await faults(name, 'v2'))]).toEqual([]);
  });

  test('leaves a platform that an index needs', async () => {
    const name = newName();
    const child = makeImage(random(), [random()]);
    await push(name, child, 'amd64');
    await push(name, makeIndex([child]));
    expect((await remove(name, 'amd64')).manifests).toBe(0);
    expect(await faults(name, child.digest)).toEqual([]);
  });

  test('takes signatures along, and the signatures of those', async () => {
    const name = newName();
    const child = makeImage(random(), [random()]);
    const image = makeIndex([child]);
    const signature = makeImage(random(), [random()], image);
    const ofChild = makeImage(random(), [random()], child);
    const ofSignature = makeImage(random(), [random()], signature);
    await push(name, child);
    await push(name, image, 'v1');
    for (const each of [signature, ofChild, ofSignature]) await push(name, each);
    expect((await remove(name, 'v1')).manifests).toBe(5);
    for (const { digest } of [signature, ofChild, ofSignature]) {
      expect(await head(name, 'manifests', digest)).toBe(404);
    }
  });

  test('leaves an image whose signature has a tag, until that goes too', async () => {
    const name = newName();
    const image = makeImage(random(), [random()]);
    const signature = makeImage(random(), [random()], image);
    await push(name, image, 'v1');
    await push(name, signature, 'v1.sig');
    expect((await remove(name, 'v1')).manifests).toBe(0);
    expect([...(await faults(name, 'v1.sig')), ...(await faults(name, image.digest))]).toEqual([]);
    expect((await remove(name, 'v1.sig')).manifests).toBe(1);
    expect(await faults(name, image.digest)).toEqual([]);
  });

  test('leaves a platform with its signature where the platform stays', async () => {
    const name = newName();
    const child = makeImage(random(), [random()]);
    const signature = makeImage(random(), [random()], child);
    await push(name, child, 'amd64');
    await push(name, signature);
    await push(name, makeIndex([child]), 'v1');
    expect((await remove(name, 'v1')).manifests).toBe(1);
    expect([...(await faults(name, 'amd64')), ...(await faults(name, signature.digest))]).toEqual([]);
  });
});

describe('a plan that is full', () => {
  const exceeded = (answer: RegistryAnswer) => {
    expect(answer.status).toBe(403);
    expect(answer.json()).toMatchObject({ errors: [{ code: 'DENIED' }] });
  };

  /** Leaves no room, by a file that nobody had to send. */
  async function fill(): Promise<void> {
    const file = { fileName: 'big', filePath: '/', mimeType: 'text/plain', isPublic: false, sha256: '' };
    const fileSize = PLANS.starter.storage - (await used());
    await registry.world.deps.db
      .insertInto('storedFiles')
      .values({ ...file, ownerId: registry.ada.user.id, objectKey: randomUUID(), fileSize })
      .execute();
  }

  const upload = (name: string, body: Buffer) =>
    registry.asAda('POST', `/v2/${name}/blobs/uploads/?digest=${digestOf(body)}`, { body });

  test('has room at once when a tag is deleted in the console', async () => {
    const name = newName();
    const layer = random();
    await push(name, makeImage(random(), [random(), random()]), 'v1');
    await fill();
    exceeded(await upload(name, layer));
    await removeTag(registry.ada, name, 'v1');
    expect((await upload(name, layer)).status).toBe(201);
    await registry.world.deps.db.deleteFrom('storedFiles').execute();
  });

  test('has room at once when a client deletes the manifest and its blobs', async () => {
    const name = newName();
    const layer = random();
    const image = makeImage(random(), [random(), random()]);
    await push(name, image, 'v1');
    await fill();
    exceeded(await upload(name, layer));
    expect((await registry.asAda('DELETE', `/v2/${name}/manifests/${image.digest}`)).status).toBe(202);
    exceeded(await upload(name, layer));
    for (const blob of image.blobs) {
      expect((await registry.asAda('DELETE', `/v2/${name}/blobs/${digestOf(blob)}`)).status).toBe(202);
    }
    expect((await upload(name, layer)).status).toBe(201);
    await registry.world.deps.db.deleteFrom('storedFiles').execute();
  });
});
