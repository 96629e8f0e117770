import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { age, makeIndex } from './registry-space-world.ts';
import {
  createUntaggedWorld,
  newImage,
  newName,
  sizeOf,
  type UntaggedWorld,
  whole,
} from './registry-untagged-world.ts';

const NOTHING = { manifests: 0, blobs: 0, size: 0 };

let registry: UntaggedWorld;

beforeAll(async () => {
  registry = await createUntaggedWorld();
});
afterAll(() => registry.close());

describe('of an index', () => {
  test('the platforms are part, and go with it but for those that something else needs', async () => {
    const name = newName();
    const [gone, tagged, shared] = [newImage(), newImage(), newImage()];
    for (const child of [gone, shared]) await registry.push(name, child);
    await registry.push(name, tagged, 'arm64');
    const [former, other] = [makeIndex([gone, tagged, shared]), makeIndex([shared])];
    await registry.push(name, former, 'latest');
    await registry.push(name, other, 'stable');
    await registry.push(name, newImage(), 'latest');
    expect(await registry.untaggedOf(name)).toMatchObject([{ digest: former.digest }]);
    expect(await registry.removeAll(name)).toEqual({
      manifests: 2,
      blobs: 2,
      size: whole(gone) + sizeOf(former),
    });
    for (const tag of ['arm64', 'stable', 'latest']) expect(await registry.faults(name, tag)).toEqual([]);
  });

  test('that has a tag, nothing is untagged', async () => {
    const name = newName();
    const [child, other] = [newImage(), newImage()];
    const inner = makeIndex([child]);
    for (const each of [child, other, inner]) await registry.push(name, each);
    await registry.push(name, makeIndex([inner, other]), 'latest');
    await age(registry.world, 25);
    expect(await registry.untaggedOf(name)).toEqual([]);
    expect(await registry.removeAll(name)).toEqual(NOTHING);
    expect(await registry.faults(name, 'latest')).toEqual([]);
  });
});

describe('a referrer', () => {
  test('stays with an image that has a tag, and goes with one that has none', async () => {
    const name = newName();
    const [former, now] = [newImage(), newImage()];
    const [ofFormer, ofNow] = [newImage(former), newImage(now)];
    await registry.push(name, former, 'latest');
    await registry.push(name, ofFormer);
    await registry.push(name, now, 'latest');
    await registry.push(name, ofNow);
    const listed = await registry.untaggedOf(name);
    expect(listed).toMatchObject([
      { digest: ofFormer.digest, subject: former.digest, isRecent: false },
      { digest: former.digest },
    ]);
    const detail = await registry.containers.untaggedImage.query({ id: listed[1]?.id ?? '' });
    expect(detail.deletion).toEqual({ manifests: 2, blobs: 4, size: whole(former, ofFormer) });
    expect(await registry.removeAll(name)).toEqual(detail.deletion);
    expect(await registry.faults(name, ofNow.digest)).toEqual([]);
  });

  test('that has a tag keeps what it is about', async () => {
    const name = newName();
    const former = newImage();
    await registry.push(name, former, 'latest');
    await registry.push(name, newImage(former), 'signature');
    await registry.push(name, newImage(), 'latest');
    expect(await registry.untaggedOf(name)).toEqual([]);
    expect(await registry.removeAll(name)).toEqual(NOTHING);
    expect([
      ...(await registry.faults(name, 'signature')),
      ...(await registry.faults(name, former.digest)),
    ]).toEqual([]);
  });

  test('of an untagged image goes alone when it is deleted by itself', async () => {
    const name = newName();
    const former = newImage();
    const signature = newImage(former);
    await registry.push(name, former, 'latest');
    await registry.push(name, signature);
    await registry.push(name, newImage(), 'latest');
    const [first] = await registry.untaggedOf(name);
    const went = await registry.containers.removeUntaggedImage.mutate({ id: first?.id ?? '' });
    expect(went).toEqual({ manifests: 1, blobs: 2, size: whole(signature) });
    expect(await registry.untaggedOf(name)).toMatchObject([{ digest: former.digest }]);
  });

  test('and an index that are about each other are listed and deleted', async () => {
    const name = newName();
    const child = newImage();
    await registry.push(name, child, 'latest');
    const index = makeIndex([child], child);
    await registry.push(name, index, 'index');
    await registry.push(name, newImage(), 'latest');
    await registry.push(name, newImage(), 'index');
    expect(await registry.untaggedOf(name)).toMatchObject([{ digest: index.digest }]);
    expect(await registry.removeAll(name)).toEqual({ manifests: 2, blobs: 2, size: whole(child, index) });
  });
});
