import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, utimesSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { StoredFile } from '@nephos/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storageFull } from '../../src/core/errors.ts';
import { openBytes } from '../../src/domains/storage/file-bytes.ts';
import { sweepOrphans } from '../../src/domains/storage/orphans.ts';
import { bytesOf, digest, listed } from '../platform/object-store-contract.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { clientFor, keyFor } from './s3-world.ts';
import { MB, upload, uploaded } from './storage-world.ts';

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
});

afterAll(() => world.close());

function open({ id }: StoredFile): Promise<Response> {
  return fetch(`${world.url}/api/storage/${id}/download`, { headers: { cookie: ada.cookie } });
}

/** Reads the first megabyte and hangs up. */
async function giveUp(response: Response): Promise<void> {
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > MB) break;
  }
}

/** Gives a file other bytes, which lie in several objects. */
async function putInPieces({ id }: StoredFile, objectKey: string, contents: readonly Buffer[]) {
  const { db, objects } = world.deps;
  const pieces = contents.map(({ length: size }, at) => ({ name: `p${at}`, size }));
  for (const [at, bytes] of contents.entries()) await objects.put(`${objectKey}/p${at}`, bytesOf(bytes));
  const fileSize = Buffer.concat(contents).length;
  const files = db.selectFrom('storedFiles').select('objectKey').where('id', '=', id);
  await objects.delete((await files.executeTakeFirstOrThrow()).objectKey);
  await db
    .updateTable('storedFiles')
    .set({ objectKey, pieces: JSON.stringify(pieces), fileSize, sha256: null })
    .where('id', '=', id)
    .execute();
  return pieces;
}

test('no upload is answered before the store keeps it, and of one that it fails to keep nothing is there', async () => {
  const { objects, db } = world.deps;
  const { receive } = objects;
  const credentials = await keyFor(ada);
  const Bucket = 'kept';
  await ada.rpc.buckets.create.mutate({ name: Bucket });
  const put = () =>
    clientFor(world, credentials).send(new PutObjectCommand({ Bucket, Key: 'late', Body: 'late' }));
  const failsLate: typeof receive = async (key, source) => {
    const { kept, ...received } = await receive(key, source);
    const failing = kept.then(() => wait(300)).then(() => Promise.reject(storageFull()));
    failing.catch(() => {});
    return { ...received, kept: failing };
  };
  const before = await listed(objects, 'files/');
  objects.receive = failsLate;
  try {
    expect(await upload(world, ada, 'late')).toMatchObject({ status: 503, body: { code: 'STORAGE_FULL' } });
    await expect(put()).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
  } finally {
    objects.receive = receive;
  }
  const rows = db.selectFrom('storedFiles').select('id').where('fileSize', '=', 4);
  expect(await rows.execute()).toEqual([]);
  expect(await listed(objects, 'files/')).toEqual(before);
  await put();
  expect(await rows.execute()).toHaveLength(1);
});

test('an upload that is refused while the store is still at it leaves nothing', async () => {
  const { objects } = world.deps;
  const { receive } = objects;
  await uploaded(world, ada, 'first', { name: 'taken.txt' });
  const before = await listed(objects, 'files/');
  objects.receive = async (key, source) => {
    const result = await objects.put('files/aside', source);
    const kept = wait(300).then(() => objects.copy('files/aside', key));
    return { ...result, kept: kept.then(() => objects.delete('files/aside')) };
  };
  try {
    const headers = { 'idempotency-key': randomUUID() };
    const second = { name: 'taken.txt', ifExists: 'refuse' as const, headers };
    expect(await upload(world, ada, 'second', second)).toMatchObject({ status: 409 });
  } finally {
    objects.receive = receive;
  }
  expect(await listed(objects, 'files/')).toEqual(before);
});

test('an upload that a slow disk still takes keeps no other waiting, and is answered once it is kept', async () => {
  const { objects } = world.deps;
  const { receive } = objects;
  const answered: string[] = [];
  const { promise: slowDisk, resolve: take } = Promise.withResolvers<void>();
  objects.receive = async (key, source) => {
    const { kept, ...received } = await receive(key, source);
    return { ...received, kept: received.size === 4 ? slowDisk.then(() => kept) : kept };
  };
  const answering = async (name: string) => {
    await uploaded(world, ada, name, { name });
    answered.push(name);
  };
  try {
    const slow = answering('slow');
    await wait(100);
    await answering('quick');
    expect(answered).toEqual(['quick']);
    take();
    await slow;
    expect(answered).toEqual(['quick', 'slow']);
  } finally {
    objects.receive = receive;
  }
});

test('downloads at once do not mix their bytes, also when others are given up', async () => {
  // More than the kernel holds, so that answers nobody reads yet stand still in the middle.
  const contents = Array.from({ length: 6 }, () => randomBytes(10 * MB));
  const files = await Promise.all(contents.map((bytes) => uploaded(world, ada, bytes)));
  for (const [at, file] of files.entries()) {
    const bytes = contents[at] ?? Buffer.alloc(0);
    const cut = [bytes.subarray(0, 3 * MB), bytes.subarray(3 * MB, 3 * MB + 9), bytes.subarray(3 * MB + 9)];
    if (at % 2 === 0) await putInPieces(file, `files/cut-${at}`, cut);
  }
  for (let round = 0; round < 2; round += 1) {
    const whole = await Promise.all(files.map(open));
    const part = await Promise.all(files.map(open));
    await Promise.all(part.map(giveUp));
    const read = await Promise.all(whole.map(async (response) => Buffer.from(await response.arrayBuffer())));
    expect(read.map((bytes) => digest('sha256', bytes))).toEqual(
      contents.map((bytes) => digest('sha256', bytes)),
    );
  }
});

test('the hourly sweep deletes old bytes without a row, and nothing else', async () => {
  const { db, objects, settings } = world.deps;
  const folder = join(settings.dataDir, 'objects');
  const kept = await uploaded(world, ada, 'kept');
  await objects.put('files/old-orphan', bytesOf('old'));
  await objects.put('files/young-orphan', bytesOf('young'));
  await objects.put('blobs/sha256/not-a-file', bytesOf('blob'));
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'young-orphan') continue;
    utimesSync(join(entry.parentPath, entry.name), longAgo, longAgo);
  }
  const before = (await listed(objects, 'files/')).length;
  await sweepOrphans(db, objects);
  const after = (await listed(objects, 'files/')).map(({ key }) => key);
  expect(after).toHaveLength(before - 1);
  expect(after).toContain('files/young-orphan');
  expect(after).not.toContain('files/old-orphan');
  expect(await objects.stat('blobs/sha256/not-a-file')).toBeDefined();
  expect((await ada.rest(`GET /api/storage/${kept.id}/download`)).text).toBe('kept');
});

test('an account that is deleted takes the bytes of its files with it, by the sweep', async () => {
  const { db, objects, settings } = world.deps;
  const carol = await world.as('Carol');
  await uploaded(world, carol, 'carol');
  const { objectKey } = await db
    .selectFrom('storedFiles')
    .select('objectKey')
    .where('ownerId', '=', carol.user.id)
    .executeTakeFirstOrThrow();
  await db.deleteFrom('users').where('id', '=', carol.user.id).execute();
  const name = objectKey.slice('files/'.length);
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  utimesSync(join(settings.dataDir, 'objects/data/files', `_${name.slice(-2)}`, name), longAgo, longAgo);
  await sweepOrphans(db, objects);
  expect(await objects.stat(objectKey)).toBeUndefined();
});

test('bytes in pieces are read as one, are no orphans, and go with their file', async () => {
  const { db, objects, settings } = world.deps;
  const file = await uploaded(world, ada, 'whole');
  const objectKey = 'files/in-pieces';
  const texts = ['first ', '', 'second ', 'third'];
  const pieces = await putInPieces(
    file,
    objectKey,
    texts.map((text) => Buffer.from(text)),
  );
  await objects.put(`${objectKey}/p9`, bytesOf('of no row'));
  const whole = texts.join('');
  const folder = join(settings.dataDir, 'objects/data/files/in-pieces');
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), longAgo, longAgo);
  }
  await sweepOrphans(db, objects);
  expect((await listed(objects, `${objectKey}/`)).map(({ key }) => key).sort()).toEqual(
    pieces.map(({ name }) => `${objectKey}/${name}`),
  );
  const address = `GET /api/storage/${file.id}/download`;
  expect((await ada.rest(address)).text).toBe(whole);
  for (const start of [0, 3, 5, 6, 12, 13]) {
    for (const end of [5, 6, 12, 17].filter((at) => at >= start)) {
      const stream = await openBytes(objects, { objectKey, pieces }, { start, end });
      expect(Buffer.concat((await stream?.toArray()) ?? []).toString()).toBe(whole.slice(start, end + 1));
    }
  }
  expect((await ada.rest(address, { headers: { range: 'bytes=4-9' } })).text).toBe(whole.slice(4, 10));
  expect((await ada.rest('GET /api/storage')).text).toContain(Buffer.from(whole).toString('base64'));
  await objects.delete(`${objectKey}/p3`);
  await expect(open(file).then((response) => response.text())).rejects.toThrow();
  await objects.put(`${objectKey}/p3`, bytesOf('third'));
  await ada.rest(`DELETE /api/storage/${file.id}`);
  expect((await listed(objects, `${objectKey}/`)).length).toBe(pieces.length);
  await ada.rpc.storageTrash.empty.mutate();
  await expect.poll(() => existsSync(folder)).toBe(false);
});
