import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pushBlob, putManifest } from './registry-client.ts';
import {
  accept,
  expectWhole,
  meanwhile,
  newImage,
  newName,
  pushBlobs,
  ROUNDS,
} from './registry-race-world.ts';
import {
  faultsOf,
  makeImage,
  makeIndex,
  pushMade,
  removeTag,
  removeUntagged,
} from './registry-space-world.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

describe('a tag deleted beside a push', () => {
  test('leaves an image that is just getting another tag', async () => {
    const [name, image] = [newName(), newImage()];
    await pushMade(registry.asAda, name, image, 'v1');
    await meanwhile(
      registry,
      (trx) => accept(registry, trx, { name, made: image, tags: ['v2'] }),
      () => removeTag(registry.ada, name, 'v1'),
    );
    const list = await registry.asAda('GET', `/v2/${name}/tags/list`);
    expect(list.json()).toMatchObject({ tags: ['v2'] });
    expect(await faultsOf(registry.asAda, name, 'v2')).toEqual([]);
  });

  test('leaves the layers of an image that is just being accepted', async () => {
    const name = newName();
    const [config, layer] = [randomBytes(100), randomBytes(100)];
    const [first, second] = [makeImage(config, [layer]), makeImage(config, [layer, layer])];
    await pushMade(registry.asAda, name, first, 'v1');
    await meanwhile(
      registry,
      (trx) => accept(registry, trx, { name, made: second, tags: ['v2'] }),
      () => removeTag(registry.ada, name, 'v1'),
    );
    expect(await faultsOf(registry.asAda, name, 'v2')).toEqual([]);
  });

  test('leaves no tag of anything that is not there, in many rounds', async () => {
    const { ada, asAda } = registry;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [name, image, layered] = [newName(), newImage(), newImage()];
      await pushMade(asAda, name, image, 'v1');
      await pushBlobs(registry, name, layered);
      const next = makeImage(layered.blobs[0] ?? Buffer.alloc(0), image.blobs.slice(1));
      await Promise.all([
        removeTag(ada, name, 'v1'),
        putManifest(asAda, name, 'v1', image.content),
        putManifest(asAda, name, 'v2', image.content),
        putManifest(asAda, name, 'v3', next.content),
        asAda('DELETE', `/v2/${name}/manifests/${next.digest}`),
      ]);
      await expectWhole(registry, name);
    }
  });
});

describe('untagged images deleted beside a push', () => {
  /** An image that a later push of its tag has left behind. */
  async function leaveBehind() {
    const [name, image] = [newName(), newImage()];
    for (const each of [image, newImage()]) await pushMade(registry.asAda, name, each, 'latest');
    const { repositories, untagged } = registry.ada.rpc.containers;
    const repository = (await repositories.query()).find((found) => found.name === name);
    const [listed] = await untagged.query({ id: repository?.id ?? '' });
    return { name, image, id: listed?.id ?? '' };
  }

  test.each<[string, (name: string, id: string) => Promise<unknown>, unknown]>([
    [
      'by itself',
      async (_name, id) => (await registry.ada.rest(`DELETE /api/registry/untagged/${id}`)).body,
      expect.objectContaining({ code: 'IN_USE' }),
    ],
    ['with all', (name) => removeUntagged(registry.ada, name), { manifests: 0, blobs: 0, size: 0 }],
  ])('leave one that is just getting a tag, %s', async (_how, remove, expected) => {
    const { name, image, id } = await leaveBehind();
    let answer: unknown;
    await meanwhile(
      registry,
      (trx) => accept(registry, trx, { name, made: image, tags: ['again'] }),
      async () => {
        answer = await remove(name, id);
      },
    );
    expect(answer).toEqual(expected);
    expect(await faultsOf(registry.asAda, name, 'again')).toEqual([]);
  });

  test('leave the platforms of an index, and the layers of an image, that are just accepted', async () => {
    const { name, image } = await leaveBehind();
    const [, layer] = image.blobs;
    const layered = makeImage(randomBytes(100), [layer ?? Buffer.alloc(0)]);
    await pushBlob(registry.asAda, name, layered.blobs[0] ?? Buffer.alloc(0));
    await meanwhile(
      registry,
      (trx) => accept(registry, trx, { name, made: layered, tags: ['layered'] }),
      () => removeUntagged(registry.ada, name),
    );
    expect(await faultsOf(registry.asAda, name, 'layered')).toEqual([]);
    const { name: other, image: platform } = await leaveBehind();
    await meanwhile(
      registry,
      (trx) => accept(registry, trx, { name: other, made: makeIndex([platform]), tags: ['multi'] }),
      () => removeUntagged(registry.ada, other),
    );
    expect(await faultsOf(registry.asAda, other, 'multi')).toEqual([]);
  });

  test('leave no tag of anything that is not there, in many rounds', async () => {
    const { ada, asAda } = registry;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { name, image, id } = await leaveBehind();
      const index = makeIndex([image]);
      const [one, ...pushes] = await Promise.all([
        ada.rest(`DELETE /api/registry/untagged/${id}`),
        putManifest(asAda, name, 'again', image.content),
        putManifest(asAda, name, 'multi', index.content, index.mediaType),
        putManifest(asAda, name, 'latest', image.content),
        removeUntagged(ada, name).then(() => ({ status: 200 })),
        removeUntagged(ada, name).then(() => ({ status: 200 })),
      ]);
      expect([200, 404, 409]).toContain(one.status);
      for (const { status } of pushes) expect([200, 201, 400]).toContain(status);
      await expectWhole(registry, name);
    }
  });
});
