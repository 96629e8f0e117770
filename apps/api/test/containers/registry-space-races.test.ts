import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkBlob, lockBlob } from '../../src/domains/containers/registry/blob-store.ts';
import { sweepBlobs, sweepLinks } from '../../src/domains/containers/registry/blob-sweep.ts';
import { digestOf, pushBlob, putManifest } from './registry-client.ts';
import {
  accept,
  meanwhile,
  newImage,
  newName,
  pushBlobs,
  ROUNDS,
  untilWaiting,
} from './registry-race-world.ts';
import { age, faultsOf, storedBlobs, sweep } from './registry-space-world.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';

/** Repositories of one round. */
const AT_ONCE = 4;

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

const uploadOf = (blob: Buffer) => `uploads/?digest=${digestOf(blob)}`;

describe('a sweep beside a push', () => {
  test('leaves the blobs of a manifest that is just being accepted', async () => {
    const { world } = registry;
    const [name, image] = [newName(), newImage()];
    await pushBlobs(registry, name, image);
    await age(world, 25);
    await meanwhile(
      registry,
      (trx) => accept(registry, trx, { name, made: image, tags: ['v1'] }),
      () => sweepLinks(world.deps.db),
    );
    expect(await faultsOf(registry.asAda, name, 'v1')).toEqual([]);
  });

  test('either takes the blobs or leaves them to the manifest, in many rounds', async () => {
    const { world, asAda } = registry;
    for (let round = 0; round < ROUNDS; round += 1) {
      const pushes = Array.from({ length: AT_ONCE }, () => ({ name: newName(), image: newImage() }));
      await Promise.all(pushes.map(({ name, image }) => pushBlobs(registry, name, image)));
      await age(world, 25);
      const answers = pushes.map(({ name, image }) => putManifest(asAda, name, 'v1', image.content));
      await Promise.all([...answers, sweep(world), sweep(world)]);
      for (const [n, { name }] of pushes.entries()) {
        const answer = await answers[n];
        if (answer?.status !== 201) {
          expect(answer?.json()).toMatchObject({ errors: [{ code: 'MANIFEST_BLOB_UNKNOWN' }] });
        } else expect(await faultsOf(asAda, name, 'v1')).toEqual([]);
      }
    }
  });

  test('leaves the bytes of a blob that is just being linked', async () => {
    const { world } = registry;
    const [name, blob] = [newName(), randomBytes(100)];
    const digest = await pushBlob(registry.asAda, newName(), blob);
    await age(world, 25);
    await sweepLinks(world.deps.db);
    await meanwhile(
      registry,
      (trx) =>
        linkBlob({ ...world.deps, db: trx }, { ownerId: registry.ada.user.id, name }, { digest, size: 100 }),
      () => sweepBlobs(world.deps),
    );
    expect((await registry.asAda('GET', `/v2/${name}/blobs/${digest}`)).body).toEqual(blob);
  });

  test('that deletes a blob while it is uploaded once more is told to the client, who tries again', async () => {
    const { world, asAda } = registry;
    const { db, objects } = world.deps;
    const [name, blob] = [newName(), randomBytes(100)];
    const digest = await pushBlob(asAda, newName(), blob);
    await age(world, 25);
    await sweepLinks(db);
    const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const paused = {
      ...objects,
      async delete(key: string) {
        if (key.endsWith(digest.slice(7))) {
          reached.resolve();
          await go.promise;
        }
        await objects.delete(key);
      },
    };
    const sweeping = sweepBlobs({ db, objects: paused });
    await reached.promise;
    const push = asAda('POST', `/v2/${name}/blobs/${uploadOf(blob)}`, { body: blob });
    await untilWaiting(registry, push);
    go.resolve();
    await sweeping;
    expect((await push).json()).toMatchObject({ errors: [{ code: 'BLOB_UPLOAD_UNKNOWN' }] });
    expect((await asAda('HEAD', `/v2/${name}/blobs/${digest}`)).status).toBe(404);
    await pushBlob(asAda, name, blob);
    expect((await asAda('GET', `/v2/${name}/blobs/${digest}`)).body).toEqual(blob);
  });

  test('leaves bytes that were stored once more after it looked at them', async () => {
    const { world } = registry;
    const { db, objects } = world.deps;
    const [, hex = ''] = digestOf(randomBytes(10)).split(':');
    const key = `blobs/sha256/${hex}`;
    await objects.put(key, new Blob(['one']).stream());
    await age(world, 25);
    // As if the upload ended between the list and the deletion.
    async function* listThenStore(prefix: string) {
      for await (const object of objects.list(prefix)) {
        if (object.key === key) await objects.put(key, new Blob(['one']).stream());
        yield object;
      }
    }
    await sweepBlobs({ db, objects: { ...objects, list: listThenStore } });
    expect(await objects.stat(key)).toBeDefined();
  });

  test('that takes a blob away while it is mounted makes the client upload it', async () => {
    const { world, ask, adaToken } = registry;
    const { db, objects } = world.deps;
    const [from, name] = [newName(), newName()];
    const digest = await pushBlob(registry.asAda, from, randomBytes(100));
    const query = `mount=${digest}&from=${from}`;
    const mount = () =>
      ask('POST', `/v2/${name}/blobs/uploads/?${query}`, { authorization: `Bearer ${adaToken}` });
    let mounted: ReturnType<typeof mount> | undefined;
    await meanwhile(
      registry,
      async (trx) => {
        await lockBlob(trx, digest);
        mounted = mount();
        await untilWaiting(registry, mounted);
        await db.deleteFrom('containerBlobLinks').where('digest', '=', digest).execute();
        await trx.deleteFrom('containerBlobs').where('digest', '=', digest).execute();
        await objects.delete(`blobs/sha256/${digest.slice(7)}`);
      },
      async () => {},
    );
    expect((await mounted)?.status).toBe(202);
    expect((await registry.asAda('HEAD', `/v2/${name}/blobs/${digest}`)).status).toBe(404);
  });

  test('loses no blob that is pushed, mounted and swept at once, in many rounds', async () => {
    const { world, asAda, asBob, ask, adaToken } = registry;
    const headers = { authorization: `Bearer ${adaToken}` };
    for (let round = 0; round < ROUNDS; round += 1) {
      const [from, to, bobs] = [newName(), newName(), `bob/${randomUUID()}`];
      const blob = randomBytes(200);
      const digest = await pushBlob(asAda, from, blob);
      await age(world, 25);
      const path = `blobs/${uploadOf(blob)}`;
      await Promise.all([
        sweep(world),
        ask('POST', `/v2/${to}/blobs/uploads/?mount=${digest}&from=${from}`, headers),
        asBob('POST', `/v2/${bobs}/${path}`, { body: blob }),
        sweep(world),
      ]);
      for (const [call, name] of [
        [asAda, from],
        [asAda, to],
        [asBob, bobs],
      ] as const) {
        if ((await call('HEAD', `/v2/${name}/blobs/${digest}`)).status !== 200) continue;
        expect((await call('GET', `/v2/${name}/blobs/${digest}`)).body).toEqual(blob);
      }
    }
    expect((await storedBlobs(world)).length).toBeGreaterThan(0);
  });
});
