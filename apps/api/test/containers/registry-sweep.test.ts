import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf, putManifest } from './registry-client.ts';
import {
  age,
  faultsOf,
  type Made,
  makeImage,
  pushMade,
  removeTag,
  storedBlobs,
  sweep,
  usedBytes,
} from './registry-space-world.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

const random = () => randomBytes(1000);
const newName = () => `ada/${randomUUID()}`;
const used = () => usedBytes(registry.world, registry.ada);
const push = (name: string, image: Made, tag?: string) => pushMade(registry.asAda, name, image, tag);
const head = async (name: string, kind: 'blobs' | 'manifests', digest: string) =>
  (await registry.asAda('HEAD', `/v2/${name}/${kind}/${digest}`)).status;
const faults = (name: string, tag: string) => faultsOf(registry.asAda, name, tag);

describe('the hourly sweep', () => {
  test('takes blobs that nobody has asked for in a day out of a repository, and no others', async () => {
    const { world, asAda, ask: plain, adaToken } = registry;
    const [name, elsewhere] = [newName(), newName()];
    const mount = (to: string, digest: string, from: string) =>
      plain('POST', `/v2/${to}/blobs/uploads/?mount=${digest}&from=${from}`, {
        authorization: `Bearer ${adaToken}`,
      });
    const asked: [string, (digest: string) => Promise<unknown>][] = [
      ['HEAD', (digest) => asAda('HEAD', `/v2/${name}/blobs/${digest}`)],
      ['GET', (digest) => asAda('GET', `/v2/${name}/blobs/${digest}`)],
      ['from', (digest) => mount(elsewhere, digest, name)],
      ['to', (digest) => mount(name, digest, elsewhere)],
    ];
    const blobs = asked.map(random);
    const [again, nobody, image] = [random(), random(), makeImage(random(), [random()])];
    for (const blob of [...blobs, again, nobody]) await upload(blob);
    expect((await mount(elsewhere, digestOf(blobs[3] ?? again), name)).status).toBe(201);
    await push(name, image, 'v1');
    await age(world, 23);
    const before = await used();
    await sweep(world);
    expect(await used()).toBe(before);
    await age(world, 25);
    for (const [n, [, ask]] of asked.entries()) await ask(digestOf(blobs[n] ?? again));
    await upload(again);
    await sweep(world);
    expect(await head(name, 'blobs', digestOf(nobody))).toBe(404);
    for (const [n, [how]] of asked.entries()) {
      expect([how, await head(name, 'blobs', digestOf(blobs[n] ?? again))]).toEqual([how, 200]);
    }
    expect(await head(name, 'blobs', digestOf(again))).toBe(200);
    expect(await faults(name, 'v1')).toEqual([]);

    async function upload(body: Buffer): Promise<void> {
      await asAda('POST', `/v2/${name}/blobs/uploads/?digest=${digestOf(body)}`, { body });
    }
  });

  test('writes down once an hour that a blob is asked for', async () => {
    const { world } = registry;
    const name = newName();
    const image = makeImage(random(), [random()]);
    await push(name, image, 'v1');
    const instants = () =>
      world.deps.db
        .selectFrom('containerBlobLinks')
        .innerJoin('containerRepositories as repository', 'repository.id', 'repositoryId')
        .select('askedAt')
        .where('repository.name', '=', name)
        .execute();
    await age(world, 0.9);
    const before = await instants();
    expect(await faults(name, 'v1')).toEqual([]);
    expect(await instants()).toEqual(before);
    await age(world, 1.1);
    expect(await faults(name, 'v1')).toEqual([]);
    for (const { askedAt } of await instants())
      expect(Date.parse(askedAt)).toBeGreaterThan(Date.now() - 60_000);
  });

  test('gives the blobs of a manifest that a client deletes a day', async () => {
    const { world, asAda } = registry;
    const name = newName();
    const image = makeImage(random(), [random()]);
    await push(name, image, 'v1');
    await age(world, 25);
    await asAda('DELETE', `/v2/${name}/manifests/${image.digest}`);
    await sweep(world);
    expect((await putManifest(asAda, name, 'v2', image.content)).status).toBe(201);
    expect(await faults(name, 'v2')).toEqual([]);
  });

  test('deletes the bytes of what no repository has, once they are an hour old', async () => {
    const { world, asBob } = registry;
    const name = newName();
    const [shared, own] = [random(), random()];
    await push(name, makeImage(random(), [shared, own]), 'v1');
    await pushMade(asBob, 'bob/app', makeImage(random(), [shared]), 'v1');
    await removeTag(registry.ada, name, 'v1');
    await age(world, 0.9);
    await sweep(world);
    expect(await storedBlobs(world)).toContain(digestOf(own));
    await age(world, 1.1);
    await sweep(world);
    expect(await storedBlobs(world)).not.toContain(digestOf(own));
    expect(await storedBlobs(world)).toContain(digestOf(shared));
    expect(await faultsOf(asBob, 'bob/app', 'v1')).toEqual([]);
    await push(name, makeImage(random(), [shared, own]), 'v1');
    expect(await faults(name, 'v1')).toEqual([]);
  });

  test('deletes the bytes of a push that was cut before it was linked, and nothing that is no blob', async () => {
    const { world } = registry;
    const { objects } = world.deps;
    const bytes = random();
    const [, hex] = digestOf(bytes).split(':');
    await objects.put(`blobs/sha256/${hex}`, new Blob([bytes]).stream());
    await objects.put('blobs/sha256/what-is-this', new Blob([bytes]).stream());
    await sweep(world);
    expect(await storedBlobs(world)).toContain(digestOf(bytes));
    await age(world, 2);
    await sweep(world);
    expect(await storedBlobs(world)).not.toContain(digestOf(bytes));
    expect(await storedBlobs(world)).toContain('sha256:what-is-this');
  });

  test('is as old as its storing: an upload that took a day is no orphan', async () => {
    const { world, asAda } = registry;
    const body = random();
    const begun = await asAda('POST', `/v2/${newName()}/blobs/uploads/`);
    const location = begun.headers.get('location') ?? '';
    await asAda('PATCH', location, { body });
    const id = location.split('/').at(-1) ?? '';
    await age(world, 23, 'uploads');
    await world.deps.objects.uploads.finish(id, `blobs/sha256/${digestOf(body).slice(7)}`, {
      algorithm: 'sha256',
      hex: digestOf(body).slice(7),
    });
    await sweep(world);
    expect(await storedBlobs(world)).toContain(digestOf(body));
  });
});
