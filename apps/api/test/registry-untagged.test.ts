import { randomBytes, randomUUID } from 'node:crypto';
import type { ImageRepository, UntaggedImage } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf } from './registry-client.ts';
import {
  age,
  faultsOf,
  type Made,
  makeImage,
  makeIndex,
  pushMade,
  usedBytes,
} from './registry-space-world.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';
const NOTHING = { manifests: 0, blobs: 0, size: 0 };

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

const random = () => randomBytes(1000);
const newImage = (subject?: Made) => makeImage(random(), [random()], subject);
const newName = () => `ada/${randomUUID()}`;
const sizeOf = (...parts: (Made | Buffer)[]) =>
  parts.reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : part.content.length), 0);
const whole = (...images: Made[]) => sizeOf(...images, ...images.flatMap(({ blobs }) => blobs));
const push = (name: string, made: Made, tag?: string) => pushMade(registry.asAda, name, made, tag);
const faults = (name: string, reference: string) => faultsOf(registry.asAda, name, reference);
const used = () => usedBytes(registry.world, registry.ada);
const containers = () => registry.ada.rpc.containers;

async function repositoryOf(name: string): Promise<ImageRepository> {
  const found = (await containers().repositories.query()).find((repository) => repository.name === name);
  if (!found) throw new Error(`${name} is not listed`);
  return found;
}

async function untaggedOf(name: string): Promise<UntaggedImage[]> {
  return containers().untagged.query({ id: (await repositoryOf(name)).id });
}

/** Deletes all that is untagged, and expects that what was announced is what it answers, and what it frees. */
async function removeAll(name: string): Promise<ImageRepository['untagged']['deletion']> {
  const { id, untagged } = await repositoryOf(name);
  const before = await used();
  expect(await containers().removeUntagged.mutate({ id })).toEqual(untagged.deletion);
  expect(before - (await used())).toBe(untagged.deletion.size);
  expect(await containers().removeUntagged.mutate({ id })).toEqual(NOTHING);
  return untagged.deletion;
}

describe('a push of the same tag', () => {
  test('leaves the former image, which is listed at both doors, and frees what only it has', async () => {
    const name = newName();
    const shared = random();
    const [former, now] = [makeImage(random(), [shared]), makeImage(random(), [shared])];
    await push(name, former, 'latest');
    await push(name, now, 'latest');
    const [own] = former.blobs;
    const size = sizeOf(former, own as Buffer);
    const repository = await repositoryOf(name);
    expect(repository).toEqual({
      id: expect.any(String),
      name,
      isPublic: false,
      tags: 1,
      size: whole(former, now) - shared.length,
      untagged: { images: 1, recent: 0, deletion: { manifests: 1, blobs: 1, size } },
    });
    const [image] = await untaggedOf(name);
    expect(image).toEqual({
      id: expect.any(String),
      digest: former.digest,
      mediaType: former.mediaType,
      artifactType: 'application/vnd.oci.image.config.v1+json',
      subject: null,
      size: sizeOf(...former.blobs),
      pushedAt: expect.stringMatching(/Z$/),
      isRecent: false,
    });
    const { ada } = registry;
    const path = `/api/registry/repositories/${repository.id}`;
    expect((await ada.rest(`GET ${path}`)).body).toEqual(repository);
    expect(await containers().repository.query({ id: repository.id })).toEqual(repository);
    expect((await ada.rest(`GET ${path}/untagged`)).body).toEqual([image]);
    const deletion = { manifests: 1, blobs: 1, size };
    const one = await ada.rest(`GET /api/registry/untagged/${image?.id}`);
    expect(one.body).toEqual({ ...image, deletion });
    expect(await containers().untaggedImage.query({ id: image?.id ?? '' })).toEqual(one.body);

    const before = await used();
    const removed = await ada.rest(`DELETE /api/registry/untagged/${image?.id}`);
    expect(removed).toMatchObject({ status: 200, body: deletion });
    expect(before - (await used())).toBe(size);
    expect((await ada.rest(`DELETE /api/registry/untagged/${image?.id}`)).status).toBe(404);
    expect(await untaggedOf(name)).toEqual([]);
    expect(await faults(name, 'latest')).toEqual([]);
    expect(await faults(name, former.digest)).not.toEqual([]);
  });

  test('again and again: all of them go at once, by REST too', async () => {
    const name = newName();
    const images = [newImage(), newImage(), newImage()];
    for (const image of images) await push(name, image, 'latest');
    const { id, untagged } = await repositoryOf(name);
    expect(untagged).toMatchObject({ images: 2, deletion: { manifests: 2, blobs: 4 } });
    const answer = await registry.ada.rest(`DELETE /api/registry/repositories/${id}/untagged`);
    expect(answer).toMatchObject({ status: 200, body: untagged.deletion });
    expect(await faults(name, 'latest')).toEqual([]);
  });

  test('adds up with what other repositories have, in the use of the storage', async () => {
    const before = await containers().storage.query();
    const [name, image] = [newName(), newImage()];
    await push(name, image, 'latest');
    await push(name, newImage(), 'latest');
    const { body } = await registry.ada.rest('GET /api/registry/storage');
    expect(body).toEqual(await containers().storage.query());
    expect(body).toMatchObject({
      size: await used(),
      untagged: {
        images: before.untagged.images + 1,
        recent: before.untagged.recent,
        deletion: { size: before.untagged.deletion.size + whole(image) },
      },
    });
  });
});

describe('of an index', () => {
  test('the platforms are part, and go with it but for those that something else needs', async () => {
    const name = newName();
    const [gone, tagged, shared] = [newImage(), newImage(), newImage()];
    for (const child of [gone, shared]) await push(name, child);
    await push(name, tagged, 'arm64');
    const [former, other] = [makeIndex([gone, tagged, shared]), makeIndex([shared])];
    await push(name, former, 'latest');
    await push(name, other, 'stable');
    await push(name, newImage(), 'latest');
    expect(await untaggedOf(name)).toMatchObject([{ digest: former.digest }]);
    expect(await removeAll(name)).toEqual({ manifests: 2, blobs: 2, size: whole(gone) + sizeOf(former) });
    for (const tag of ['arm64', 'stable', 'latest']) expect(await faults(name, tag)).toEqual([]);
  });

  test('that has a tag, nothing is untagged', async () => {
    const name = newName();
    const [child, other] = [newImage(), newImage()];
    const inner = makeIndex([child]);
    for (const each of [child, other, inner]) await push(name, each);
    await push(name, makeIndex([inner, other]), 'latest');
    await age(registry.world, 25);
    expect(await untaggedOf(name)).toEqual([]);
    expect(await removeAll(name)).toEqual(NOTHING);
    expect(await faults(name, 'latest')).toEqual([]);
  });
});

describe('a referrer', () => {
  test('stays with an image that has a tag, and goes with one that has none', async () => {
    const name = newName();
    const [former, now] = [newImage(), newImage()];
    const [ofFormer, ofNow] = [newImage(former), newImage(now)];
    await push(name, former, 'latest');
    await push(name, ofFormer);
    await push(name, now, 'latest');
    await push(name, ofNow);
    const listed = await untaggedOf(name);
    expect(listed).toMatchObject([
      { digest: ofFormer.digest, subject: former.digest, isRecent: false },
      { digest: former.digest },
    ]);
    const detail = await containers().untaggedImage.query({ id: listed[1]?.id ?? '' });
    expect(detail.deletion).toEqual({ manifests: 2, blobs: 4, size: whole(former, ofFormer) });
    expect(await removeAll(name)).toEqual(detail.deletion);
    expect(await faults(name, ofNow.digest)).toEqual([]);
  });

  test('that has a tag keeps what it is about', async () => {
    const name = newName();
    const former = newImage();
    await push(name, former, 'latest');
    await push(name, newImage(former), 'signature');
    await push(name, newImage(), 'latest');
    expect(await untaggedOf(name)).toEqual([]);
    expect(await removeAll(name)).toEqual(NOTHING);
    expect([...(await faults(name, 'signature')), ...(await faults(name, former.digest))]).toEqual([]);
  });

  test('of an untagged image goes alone when it is deleted by itself', async () => {
    const name = newName();
    const former = newImage();
    const signature = newImage(former);
    await push(name, former, 'latest');
    await push(name, signature);
    await push(name, newImage(), 'latest');
    const [first] = await untaggedOf(name);
    const went = await containers().removeUntaggedImage.mutate({ id: first?.id ?? '' });
    expect(went).toEqual({ manifests: 1, blobs: 2, size: whole(signature) });
    expect(await untaggedOf(name)).toMatchObject([{ digest: former.digest }]);
  });

  test('and an index that are about each other are listed and deleted', async () => {
    const name = newName();
    const child = newImage();
    await push(name, child, 'latest');
    const index = makeIndex([child], child);
    await push(name, index, 'index');
    await push(name, newImage(), 'latest');
    await push(name, newImage(), 'index');
    expect(await untaggedOf(name)).toMatchObject([{ digest: index.digest }]);
    expect(await removeAll(name)).toEqual({ manifests: 2, blobs: 2, size: whole(child, index) });
  });
});

describe('what was pushed by its digest alone', () => {
  test('within the last day stays when all are deleted, and can be deleted by itself', async () => {
    const name = newName();
    const [former, part, other] = [newImage(), newImage(), newImage()];
    await push(name, former, 'latest');
    await push(name, newImage(), 'latest');
    for (const each of [part, other]) await push(name, each);
    const ofPart = newImage(part);
    await push(name, ofPart);
    expect((await untaggedOf(name)).map(({ isRecent }) => isRecent)).toEqual([true, true, true, false]);
    expect((await repositoryOf(name)).untagged).toMatchObject({ images: 4, recent: 3 });
    expect(await removeAll(name)).toMatchObject({ manifests: 1 });
    const index = makeIndex([part]);
    await push(name, index, 'multi');
    expect([...(await faults(name, 'multi')), ...(await faults(name, ofPart.digest))]).toEqual([]);
    const [image, ...rest] = await untaggedOf(name);
    expect([image?.digest, rest]).toEqual([other.digest, []]);
    expect(await containers().removeUntaggedImage.mutate({ id: image?.id ?? '' })).toMatchObject({
      manifests: 1,
    });
  });

  test('goes with all others a day later, unless it is pushed again', async () => {
    const name = newName();
    const [gone, kept] = [newImage(), newImage()];
    for (const each of [gone, kept]) await push(name, each);
    await age(registry.world, 25);
    await push(name, kept);
    expect(await removeAll(name)).toEqual({ manifests: 1, blobs: 2, size: whole(gone) });
    expect(await faults(name, kept.digest)).toEqual([]);
  });

  test('is listed also where the repository has no tag left, which no card shows', async () => {
    const [name, image] = [newName(), newImage()];
    await push(name, image, 'latest');
    expect((await registry.asAda('DELETE', `/v2/${name}/manifests/latest`)).status).toBe(202);
    expect(await repositoryOf(name)).toMatchObject({ tags: 0, untagged: { images: 1 } });
    expect(await removeAll(name)).toEqual({ manifests: 1, blobs: 2, size: whole(image) });
    const names = (await containers().repositories.query()).map((repository) => repository.name);
    expect(names).not.toContain(name);
  });
});

describe('an image that has a tag again, or is part of one that has', () => {
  test('is refused by 409, and is no untagged one', async () => {
    const name = newName();
    const [former, child] = [newImage(), newImage()];
    for (const image of [former, child, newImage()]) await push(name, image, 'latest');
    const listed = await untaggedOf(name);
    await push(name, former, 'again');
    await push(name, makeIndex([child]), 'multi');
    const message = 'A tag or another image needs this image, so it stays.';
    for (const { id } of listed) {
      const answer = await registry.ada.rest(`DELETE /api/registry/untagged/${id}`);
      expect(answer).toMatchObject({ status: 409, body: { code: 'IN_USE', message } });
      await expect(containers().removeUntaggedImage.mutate({ id })).rejects.toMatchObject({
        data: { httpStatus: 409, reason: 'IN_USE' },
      });
      expect((await registry.ada.rest(`GET /api/registry/untagged/${id}`)).status).toBe(404);
    }
    for (const tag of ['again', 'multi']) expect(await faults(name, tag)).toEqual([]);
  });
});

test('lists are paged by the last id', async () => {
  const name = newName();
  const images = Array.from({ length: 4 }, newImage);
  for (const image of images) await push(name, image, 'latest');
  const { id } = await repositoryOf(name);
  const first = await registry.ada.rest(`GET /api/registry/repositories/${id}/untagged?limit=2`);
  const page = first.body as UntaggedImage[];
  expect(page.map(({ digest }) => digest)).toEqual([images[2]?.digest, images[1]?.digest]);
  const rest = await containers().untagged.query({ id, limit: 2, cursor: page[1]?.id });
  expect(rest.map(({ digest }) => digest)).toEqual([images[0]?.digest]);

  const all = await containers().repositories.query();
  const some = await containers().repositories.query({ limit: 1, cursor: all[0]?.id });
  expect(some).toEqual(all.slice(1, 2));
  for (const path of [`repositories/${id}/untagged?limit=0`, 'repositories?limit=1001']) {
    expect((await registry.ada.rest(`GET /api/registry/${path}`)).status).toBe(400);
  }
});

test("somebody else's are not there, and nobody signed out sees any", async () => {
  const { bob, world, ada } = registry;
  const name = newName();
  for (const image of [newImage(), newImage()]) await push(name, image, 'latest');
  const { id } = await repositoryOf(name);
  const [image] = await untaggedOf(name);
  for (const route of [
    `GET /api/registry/repositories/${id}`,
    `GET /api/registry/repositories/${id}/untagged`,
    `DELETE /api/registry/repositories/${id}/untagged`,
    `GET /api/registry/untagged/${image?.id}`,
    `DELETE /api/registry/untagged/${image?.id}`,
  ]) {
    const absent = route.replace(/[0-9a-f-]{36}/, ABSENT);
    for (const [person, path] of [
      [bob, route],
      [ada, absent],
    ] as const) {
      expect([path, await person.rest(path)]).toMatchObject([
        path,
        { status: 404, body: { code: 'NOT_FOUND' } },
      ]);
    }
    expect((await world.anyone.rest(route)).status).toBe(401);
  }
  expect(await bob.rpc.containers.repositories.query()).toEqual([]);
  expect(await bob.rpc.containers.storage.query()).toEqual({
    size: 0,
    untagged: { images: 0, recent: 0, deletion: NOTHING },
  });
  for (const route of ['GET /api/registry/storage', 'GET /api/registry/repositories']) {
    expect((await world.anyone.rest(route)).status).toBe(401);
  }
  await expect(bob.rpc.containers.removeUntagged.mutate({ id })).rejects.toMatchObject({
    data: { httpStatus: 404 },
  });
  expect(await untaggedOf(name)).toEqual([image]);
});

test('what was uploaded and never named by a manifest counts, and is none', async () => {
  const name = newName();
  const blob = random();
  await registry.asAda('POST', `/v2/${name}/blobs/uploads/?digest=${digestOf(blob)}`, { body: blob });
  expect(await repositoryOf(name)).toMatchObject({ tags: 0, size: blob.length, untagged: { images: 0 } });
});
