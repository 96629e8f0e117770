import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { StoredFile } from '@nephos/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { clientFor, keyFor } from './s3-world.ts';

const NOWHERE = '00000000-0000-7000-8000-000000000000';

let world: World;
let ada: Person;
let bob: Person;
let s3: S3Client;
let bucketId: string;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  s3 = clientFor(world, await keyFor(ada));
  ({ id: bucketId } = await ada.rpc.buckets.create.mutate({ name: 'kept', versioning: true }));
});
afterAll(() => world.close());

async function put(Key: string, Body: string): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: 'kept', Key, Body, ContentType: 'text/plain' }));
}

async function fileAt(fileName: string): Promise<StoredFile | undefined> {
  const files = await ada.rpc.storage.list.query({ bucketId });
  return files.find((file) => file.fileName === fileName);
}

const textOf = async (route: string) => (await ada.rest(`GET ${route}`)).text;

test('what a file was before is listed, read, brought back and deleted, by its owner alone', async () => {
  for (const text of ['one', 'two!', 'three']) await put('notes.txt', text);
  const { id = '' } = (await fileAt('notes.txt')) ?? {};
  const [two, one, ...others] = await ada.rpc.storageVersions.list.query({ id });
  expect(others).toEqual([]);
  expect([two?.fileSize, one?.fileSize]).toEqual([4, 3]);
  const of = (version: typeof one, rest = '') => `/api/storage/versions/${version?.id}${rest}`;
  expect(await textOf(of(one, '/download'))).toBe('one');
  for (const [call] of [
    [`GET /api/storage/${id}/versions`],
    [`GET ${of(one, '/download')}`],
    [`POST ${of(one, '/restore')}`],
    [`DELETE ${of(one)}`],
  ] as const) {
    expect(await bob.rest(call), call).toMatchObject({ status: 404 });
    expect(await world.anyone.rest(call), call).toMatchObject({ status: 401 });
  }
  expect(await ada.rest(`POST /api/storage/versions/${NOWHERE}/restore`)).toMatchObject({ status: 404 });

  const restored = await ada.rest(`POST ${of(one, '/restore')}`);
  expect(restored).toMatchObject({ status: 200, body: { id, fileSize: 3 } });
  expect(await textOf(`/api/storage/${id}/download`)).toBe('one');
  const after = await ada.rpc.storageVersions.list.query({ id });
  // What it was last is kept, and what came back is no longer among them.
  expect(after.map(({ fileSize }) => fileSize)).toEqual([5, 4]);
  expect(await ada.rest(`DELETE ${of(two)}`)).toMatchObject({ status: 200, body: { success: true } });
  expect(await ada.rest(`DELETE ${of(two)}`)).toMatchObject({ status: 404 });
  expect(await ada.rpc.storageVersions.list.query({ id })).toHaveLength(1);
});

test('what is deleted where versions are kept is in the trash, whoever deleted it, until it is deleted for good', async () => {
  await put('a.txt', 'a');
  await put('a.txt', 'a2');
  await put('b.txt', 'b');
  const a = await fileAt('a.txt');
  await ada.rpc.storage.remove.mutate({ id: a?.id ?? '' });
  await s3.send(new DeleteObjectCommand({ Bucket: 'kept', Key: 'b.txt' }));
  await s3.send(new DeleteObjectCommand({ Bucket: 'kept', Key: 'b.txt' }));
  const trash = await ada.rpc.storageTrash.list.query();
  expect(trash).toMatchObject([
    { fileName: 'b.txt', fileSize: 1, mimeType: 'text/plain', isKept: true },
    { fileName: 'a.txt', fileSize: 2, isKept: true },
  ]);
  expect(await bob.rpc.storageTrash.list.query()).toEqual([]);
  const [ofB, ofA] = trash;
  // Not what empties the trash: it was asked to be kept.
  await ada.rpc.storageTrash.empty.mutate();
  expect(await bob.rest(`POST /api/storage/trash/${ofA?.id}/restore`)).toMatchObject({ status: 404 });
  const back = await ada.rpc.storageTrash.restore.mutate({ id: ofA?.id ?? '' });
  expect(back).toMatchObject({ id: a?.id, fileName: 'a.txt', fileSize: 2 });
  expect(await ada.rpc.storageVersions.list.query({ id: back.id })).toHaveLength(1);
  expect(await textOf(`/api/storage/${back.id}/download`)).toBe('a2');

  expect(await ada.rest(`DELETE /api/storage/trash/${ofB?.id}`)).toMatchObject({ status: 200 });
  expect(await ada.rpc.storageTrash.list.query()).toEqual([]);
  const left = await world.deps.db
    .selectFrom('fileVersions')
    .select('key')
    .where('key', '=', 'b.txt')
    .execute();
  expect(left).toEqual([]);
});

test('a file that came after a deletion is there, and nothing of it in the trash', async () => {
  await put('c.txt', 'c');
  await s3.send(new DeleteObjectCommand({ Bucket: 'kept', Key: 'c.txt' }));
  const [deleted] = await ada.rpc.storageTrash.list.query();
  await put('c.txt', 'again');
  expect(await ada.rpc.storageTrash.list.query()).toEqual([]);
  expect(await ada.rest(`POST /api/storage/trash/${deleted?.id}/restore`)).toMatchObject({ status: 404 });
});
