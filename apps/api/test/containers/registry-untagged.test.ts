import type { UntaggedImage } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf } from './registry-client.ts';
import { age, makeImage, makeIndex } from './registry-space-world.ts';
import {
  createUntaggedWorld,
  newImage,
  newName,
  random,
  sizeOf,
  type UntaggedWorld,
  whole,
} from './registry-untagged-world.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';
const NOTHING = { manifests: 0, blobs: 0, size: 0 };

let registry: UntaggedWorld;

beforeAll(async () => {
  registry = await createUntaggedWorld();
});
afterAll(() => registry.close());

describe('a push of the same tag', () => {
  test('leaves the former image, which is listed at both doors, and frees what only it has', async () => {
    const name = newName();
    const shared = random();
    const [former, now] = [makeImage(random(), [shared]), makeImage(random(), [shared])];
    await registry.push(name, former, 'latest');
    await registry.push(name, now, 'latest');
    const [own] = former.blobs;
    const size = sizeOf(former, own as Buffer);
    const repository = await registry.repositoryOf(name);
    expect(repository).toEqual({
      id: expect.any(String),
      name,
      isPublic: false,
      tags: 1,
      size: whole(former, now) - shared.length,
      untagged: { images: 1, recent: 0, needed: 0, deletion: { manifests: 1, blobs: 1, size } },
    });
    const [image] = await registry.untaggedOf(name);
    expect(image).toEqual({
      id: expect.any(String),
      digest: former.digest,
      mediaType: former.mediaType,
      artifactType: 'application/vnd.oci.image.config.v1+json',
      subject: null,
      size: sizeOf(...former.blobs),
      pushedAt: expect.stringMatching(/Z$/),
      isRecent: false,
      keptBecause: '',
    });
    const { ada } = registry;
    const path = `/api/registry/repositories/${repository.id}`;
    expect((await ada.rest(`GET ${path}`)).body).toEqual(repository);
    expect(await registry.containers.repository.query({ id: repository.id })).toEqual(repository);
    expect((await ada.rest(`GET ${path}/untagged`)).body).toEqual([image]);
    const deletion = { manifests: 1, blobs: 1, size };
    const one = await ada.rest(`GET /api/registry/untagged/${image?.id}`);
    expect(one.body).toEqual({ ...image, deletion });
    expect(await registry.containers.untaggedImage.query({ id: image?.id ?? '' })).toEqual(one.body);

    const before = await registry.used();
    const removed = await ada.rest(`DELETE /api/registry/untagged/${image?.id}`);
    expect(removed).toMatchObject({ status: 200, body: deletion });
    expect(before - (await registry.used())).toBe(size);
    expect((await ada.rest(`DELETE /api/registry/untagged/${image?.id}`)).status).toBe(404);
    expect(await registry.untaggedOf(name)).toEqual([]);
    expect(await registry.faults(name, 'latest')).toEqual([]);
    expect(await registry.faults(name, former.digest)).not.toEqual([]);
  });

  test('again and again: all of them go at once, by REST too', async () => {
    const name = newName();
    const images = [newImage(), newImage(), newImage()];
    for (const image of images) await registry.push(name, image, 'latest');
    const { id, untagged } = await registry.repositoryOf(name);
    expect(untagged).toMatchObject({ images: 2, deletion: { manifests: 2, blobs: 4 } });
    const answer = await registry.ada.rest(`DELETE /api/registry/repositories/${id}/untagged`);
    expect(answer).toMatchObject({ status: 200, body: untagged.deletion });
    expect(await registry.faults(name, 'latest')).toEqual([]);
  });

  test('adds up with what other repositories have, in the use of the storage', async () => {
    const before = await registry.containers.storage.query();
    const [name, image] = [newName(), newImage()];
    await registry.push(name, image, 'latest');
    await registry.push(name, newImage(), 'latest');
    const { body } = await registry.ada.rest('GET /api/registry/storage');
    expect(body).toEqual(await registry.containers.storage.query());
    expect(body).toMatchObject({
      size: await registry.used(),
      untagged: {
        images: before.untagged.images + 1,
        recent: before.untagged.recent,
        deletion: { size: before.untagged.deletion.size + whole(image) },
      },
    });
  });
});

describe('what was pushed by its digest alone', () => {
  test('within the last day stays when all are deleted, and can be deleted by itself', async () => {
    const name = newName();
    const [former, part, other] = [newImage(), newImage(), newImage()];
    await registry.push(name, former, 'latest');
    await registry.push(name, newImage(), 'latest');
    for (const each of [part, other]) await registry.push(name, each);
    const ofPart = newImage(part);
    await registry.push(name, ofPart);
    expect((await registry.untaggedOf(name)).map(({ isRecent }) => isRecent)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect((await registry.repositoryOf(name)).untagged).toMatchObject({ images: 4, recent: 3 });
    expect(await registry.removeAll(name)).toMatchObject({ manifests: 1 });
    const index = makeIndex([part]);
    await registry.push(name, index, 'multi');
    expect([
      ...(await registry.faults(name, 'multi')),
      ...(await registry.faults(name, ofPart.digest)),
    ]).toEqual([]);
    const [image, ...rest] = await registry.untaggedOf(name);
    expect([image?.digest, rest]).toEqual([other.digest, []]);
    expect(await registry.containers.removeUntaggedImage.mutate({ id: image?.id ?? '' })).toMatchObject({
      manifests: 1,
    });
  });

  test('goes with all others a day later, unless it is pushed again', async () => {
    const name = newName();
    const [gone, kept] = [newImage(), newImage()];
    for (const each of [gone, kept]) await registry.push(name, each);
    await age(registry.world, 25);
    await registry.push(name, kept);
    expect(await registry.removeAll(name)).toEqual({ manifests: 1, blobs: 2, size: whole(gone) });
    expect(await registry.faults(name, kept.digest)).toEqual([]);
  });

  test('is listed also where the repository has no tag left, which no card shows', async () => {
    const [name, image] = [newName(), newImage()];
    await registry.push(name, image, 'latest');
    expect((await registry.asAda('DELETE', `/v2/${name}/manifests/latest`)).status).toBe(202);
    expect(await registry.repositoryOf(name)).toMatchObject({ tags: 0, untagged: { images: 1 } });
    expect(await registry.removeAll(name)).toEqual({ manifests: 1, blobs: 2, size: whole(image) });
    const names = (await registry.containers.repositories.query()).map((repository) => repository.name);
    expect(names).not.toContain(name);
  });
});

describe('an image that has a tag again, or is part of one that has', () => {
  test('is refused by 409, and is no untagged one', async () => {
    const name = newName();
    const [former, child] = [newImage(), newImage()];
    for (const image of [former, child, newImage()]) await registry.push(name, image, 'latest');
    const listed = await registry.untaggedOf(name);
    await registry.push(name, former, 'again');
    await registry.push(name, makeIndex([child]), 'multi');
    const message = "This image can't be deleted because a tag or another image uses it.";
    for (const { id } of listed) {
      const answer = await registry.ada.rest(`DELETE /api/registry/untagged/${id}`);
      expect(answer).toMatchObject({ status: 409, body: { code: 'IN_USE', message } });
      await expect(registry.containers.removeUntaggedImage.mutate({ id })).rejects.toMatchObject({
        data: { httpStatus: 409, reason: 'IN_USE' },
      });
      expect((await registry.ada.rest(`GET /api/registry/untagged/${id}`)).status).toBe(404);
    }
    for (const tag of ['again', 'multi']) expect(await registry.faults(name, tag)).toEqual([]);
  });
});

test('lists are paged by the last id', async () => {
  const name = newName();
  const images = Array.from({ length: 4 }, newImage);
  for (const image of images) await registry.push(name, image, 'latest');
  const { id } = await registry.repositoryOf(name);
  const first = await registry.ada.rest(`GET /api/registry/repositories/${id}/untagged?limit=2`);
  const page = first.body as UntaggedImage[];
  expect(page.map(({ digest }) => digest)).toEqual([images[2]?.digest, images[1]?.digest]);
  const rest = await registry.containers.untagged.query({ id, limit: 2, cursor: page[1]?.id });
  expect(rest.map(({ digest }) => digest)).toEqual([images[0]?.digest]);

  const all = await registry.containers.repositories.query();
  const some = await registry.containers.repositories.query({ limit: 1, cursor: all[0]?.id });
  expect(some).toEqual(all.slice(1, 2));
  for (const path of [`repositories/${id}/untagged?limit=0`, 'repositories?limit=1001']) {
    expect((await registry.ada.rest(`GET /api/registry/${path}`)).status).toBe(400);
  }
});

test("somebody else's are not there, and nobody signed out sees any", async () => {
  const { bob, world, ada } = registry;
  const name = newName();
  for (const image of [newImage(), newImage()]) await registry.push(name, image, 'latest');
  const { id } = await registry.repositoryOf(name);
  const [image] = await registry.untaggedOf(name);
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
    untagged: { images: 0, recent: 0, needed: 0, deletion: NOTHING },
  });
  for (const route of ['GET /api/registry/storage', 'GET /api/registry/repositories']) {
    expect((await world.anyone.rest(route)).status).toBe(401);
  }
  await expect(bob.rpc.containers.removeUntagged.mutate({ id })).rejects.toMatchObject({
    data: { httpStatus: 404 },
  });
  expect(await registry.untaggedOf(name)).toEqual([image]);
});

test('what was uploaded and never named by a manifest counts, and is none', async () => {
  const name = newName();
  const blob = random();
  await registry.asAda('POST', `/v2/${name}/blobs/uploads/?digest=${digestOf(blob)}`, { body: blob });
  expect(await registry.repositoryOf(name)).toMatchObject({
    tags: 0,
    size: blob.length,
    untagged: { images: 0 },
  });
});
