import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredFile } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Call,
  digestOf,
  makeToken,
  pushBlob,
  pushImage,
  type RegistryAnswer,
  registryClient,
  withQuery,
} from '../containers/registry-client.ts';
import { documented, filesOnDisk, MB, upload, uploaded } from '../storage/storage-world.ts';
import { type Answer, createWorld, type Person, type World } from '../world.ts';
import { mountSmallDisk } from './small-disk.ts';

const home = await mkdtemp(join(tmpdir(), 'nephos-full-'));
const dataDir = join(home, 'data');
const unmount = mountSmallDisk(join(dataDir, 'objects'));

/** More than the disk has left once it holds two of them. */
const LARGE = randomBytes(10 * MB);

describe.skipIf(!unmount)('a full disk', () => {
  let world: World;
  let ada: Person;
  let call: Call;
  let stored: [StoredFile, StoredFile];
  let objects: string[];

  beforeAll(async () => {
    await chmod(home, 0o711);
    world = await createWorld({ running: true, settings: { dataDir } });
    ada = await world.as('Ada');
    call = registryClient({ url: world.url, username: 'ada', password: (await makeToken(ada)).token });
    stored = [await uploaded(world, ada, LARGE), await uploaded(world, ada, LARGE)];
    objects = (await filesOnDisk(world)).toSorted();
  });
  afterAll(() => world.close());

  /** Nothing is left of what was refused, and what was there is there. */
  async function expectUnchanged(): Promise<void> {
    expect((await filesOnDisk(world)).toSorted()).toEqual(objects);
    expect((await ada.rpc.storage.list.query()).map(({ id }) => id)).toEqual(
      stored.map(({ id }) => id).toReversed(),
    );
    const { db } = world.deps;
    for (const table of ['containerRepositories', 'containerBlobs', 'containerUploads'] as const) {
      expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    }
  }

  test.each<[string, () => Promise<Answer>]>([
    ['an upload', () => upload(world, ada, LARGE)],
    ['an upload as JSON', () => ada.rest('POST /api/storage', { body: documented(LARGE) })],
    ['an upload through tRPC', () => ada.rest('POST /trpc/storage.create', { body: documented(LARGE) })],
  ])('refuses %s and keeps nothing of it', async (_case, send) => {
    const answer = await send();
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('STORAGE_FULL');
    expect(answer.headers.get('retry-after')).toBe('60');
    await expectUnchanged();
  });

  const begin = async () => (await call('POST', '/v2/ada/full/blobs/uploads/')).headers.get('location') ?? '';
  const digest = digestOf(LARGE);
  const body = LARGE;

  test.each<[string, () => Promise<RegistryAnswer>]>([
    ['at once', () => call('POST', `/v2/ada/full/blobs/uploads/?digest=${digest}`, { body })],
    ['in parts', async () => call('PATCH', await begin(), { body })],
    ['at its end', async () => call('PUT', withQuery(await begin(), { digest }), { body })],
  ])('refuses a push of a layer %s and keeps nothing of it', async (_case, send) => {
    const answer = await send();
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({ errors: [{ message: expect.stringContaining('full') }] });
    expect(answer.headers.get('retry-after')).toBe('60');
    expect((await call('HEAD', `/v2/ada/full/blobs/${digest}`)).status).toBe(404);
    await expectUnchanged();
  });

  test('still gives what it has, and takes again what fits by then', async () => {
    const [file, other] = stored;
    const kept = await fetch(`${world.url}/api/storage/${file.id}/download`, {
      headers: { cookie: ada.cookie },
    });
    expect(Buffer.from(await kept.arrayBuffer()).equals(LARGE)).toBe(true);
    await ada.rpc.storage.remove.mutate({ id: other.id });
    await ada.rpc.storageTrash.empty.mutate();
    const again = await uploaded(world, ada, LARGE);
    await ada.rpc.storage.remove.mutate({ id: again.id });
    await ada.rpc.storageTrash.empty.mutate();
    expect(await pushBlob(call, 'ada/full', LARGE)).toBe(digest);
    await pushImage(call, 'ada/full');
    expect((await call('GET', `/v2/ada/full/blobs/${digest}`)).body.equals(LARGE)).toBe(true);
  });
});

afterAll(async () => {
  unmount?.();
  await rm(home, { recursive: true, force: true });
});
