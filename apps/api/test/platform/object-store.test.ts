import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDiskStore } from '../../src/platform/object-store/disk-store.ts';
import type { ObjectStore } from '../../src/platform/object-store/object-store.ts';
import { bytesOf, digest, listed, objectStoreContract } from './object-store-contract.ts';
import { mountSmallDisk } from './small-disk.ts';

const CHILD = resolve(import.meta.dirname, 'fixtures/object-store-child.ts');
const MB = 1024 * 1024;

objectStoreContract('the disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-objects-'));
  return {
    store: await openDiskStore(folder),
    reopen: () => openDiskStore(folder),
    leftovers: async () => [
      ...(await readdir(join(folder, 'temporary'))),
      ...(await readdir(join(folder, 'uploads'))),
    ],
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

/** Runs the fixture; its first line of output is its answer. */
async function startChild(...args: string[]) {
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, answer: JSON.parse(line.toString()) as Record<string, unknown> };
}

describe('the disk, beyond its contract', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nephos-objects-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('is closed to other accounts', async () => {
    const root = join(folder, 'closed');
    const store = await openDiskStore(root);
    await store.put('files/secret', bytesOf('secret'));
    for (const entry of await readdir(root, { recursive: true })) {
      const { mode } = await stat(join(root, entry));
      expect(mode & 0o077, entry).toBe(0);
    }
  });

  test('a copy is as old as its copying, so that no sweep takes it for an orphan', async () => {
    const root = join(folder, 'copied');
    const store = await openDiskStore(root);
    await store.put('files/one', bytesOf('one'));
    const longAgo = new Date(Date.now() - 24 * 60 * 60 * 1000);
    utimesSync(join(root, 'data/files/_ne/one'), longAgo, longAgo);
    await store.copy('files/one', 'files/two');
    expect((await store.stat('files/two'))?.storedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test('forgets what a killed process was writing, and keeps the uploads of the last day', async () => {
    const root = join(folder, 'killed');
    const { child, answer } = await startChild('hold', root);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await readdir(join(root, 'temporary'))).toHaveLength(1);

    const { young, old } = answer as { young: string; old: string };
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000 - 1000);
    utimesSync(join(root, 'uploads', old), yesterday, yesterday);
    const store = await openDiskStore(root);
    expect(await readdir(join(root, 'temporary'))).toEqual([]);
    expect(await listed(store, 'files/')).toEqual([]);
    expect(await store.uploads.size(old)).toBeUndefined();
    expect(await store.uploads.size(young)).toBe(5);

    await store.uploads.append(young, bytesOf(' world'), 5);
    const hex = digest('sha512', Buffer.from('young world'));
    expect(await store.uploads.finish(young, 'blobs/young', { algorithm: 'sha512', hex })).toBe(11);
  });

  test('sweeps hourly what was left for a day, but not what is being written', async () => {
    const root = join(folder, 'swept');
    const { uploads, sweep } = await openDiskStore(root);
    const [left, live] = [await uploads.begin(), await uploads.begin()];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const yielded = Promise.withResolvers<void>();
    const append = uploads.append(
      live,
      (async function* () {
        yielded.resolve();
        await gate;
        yield Buffer.from('abc');
      })(),
      0,
    );
    await yielded.promise;
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const id of [left, live]) utimesSync(join(root, 'uploads', id), yesterday, yesterday);
    await sweep();
    open();
    expect(await append).toBe(3);
    expect(await uploads.size(left)).toBeUndefined();
  });

  test('stores and reads 512 MB in less than 200 MB of memory', async () => {
    const { child, answer } = await startChild('measure', join(folder, 'measured'));
    child.kill();
    expect(answer).toMatchObject({ stored: 512 * MB, read: 512 * MB, uploaded: 512 * MB });
    expect(answer.peakMegabytes).toBeLessThan(200);
  });
});

describe('a full disk', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'nephos-full-'));
  const folder = join(parent, 'disk');
  const unmount = mountSmallDisk(folder);
  let store: ObjectStore;
  const full = { reason: 'STORAGE_FULL', code: 'SERVICE_UNAVAILABLE' };
  const tenMegabytes = () => bytesOf(...Array.from({ length: 10 }, () => Buffer.alloc(MB, 1)));
  const names = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  };

  beforeAll(async () => {
    if (unmount) store = await openDiskStore(folder);
  });

  afterAll(async () => {
    unmount?.();
    await rm(parent, { recursive: true, force: true });
  });

  test.skipIf(!unmount)('refuses, leaves nothing, and works again when there is space', async () => {
    await store.put('files/one', tenMegabytes());
    await store.put('files/two', tenMegabytes());
    await expect(store.put('files/three', tenMegabytes())).rejects.toMatchObject(full);
    expect(await names()).toEqual(['one', 'two']);

    const id = await store.uploads.begin();
    await expect(store.uploads.append(id, tenMegabytes(), 0)).rejects.toMatchObject(full);
    expect(await store.uploads.size(id)).toBeUndefined();
    expect(await names()).toEqual(['one', 'two']);

    await store.delete('files/one');
    await store.put('files/three', tenMegabytes());
    expect(await names()).toEqual(['three', 'two']);
  });
});
