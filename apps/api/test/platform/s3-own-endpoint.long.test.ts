import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMultiparts } from '../../src/platform/object-store/multipart.ts';
import { openBucket, type S3Bucket } from '../../src/platform/object-store/s3-bucket.ts';
import { listObjects } from '../../src/platform/object-store/s3-objects.ts';
import { createS3Store } from '../../src/platform/object-store/s3-store.ts';
import { keyFor } from '../storage/s3-world.ts';
import { createWorld, type World } from '../world.ts';
import { bytesOf, digest, objectStoreContract } from './object-store-contract.ts';

let world: World;
let bucket: S3Bucket;

beforeAll(async () => {
  world = await createWorld({ running: true });
  const ada = await world.as('Ada');
  await ada.rpc.buckets.create.mutate({ name: 'objects-of-another' });
  bucket = await openBucket({
    ...{ endpoint: new URL(world.url), bucket: 'objects-of-another', region: 'us-east-1', pathStyle: true },
    ...(await keyFor(ada)),
  });
});

afterAll(() => world.close());

const keysOf = async (prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of listObjects(bucket, prefix)) keys.push(key);
  return keys;
};

objectStoreContract('a bucket of another Nephos', async () => {
  const { db } = world.deps;
  const store = createS3Store(bucket, db);
  for (const key of await keysOf('')) await store.delete(key);
  return {
    store,
    reopen: async () => createS3Store(bucket, db),
    leftovers: async () => [
      ...(await keysOf('_')),
      ...(await db.selectFrom('objectUploads').select('id').execute()).map(({ id }) => id),
    ],
    close: async () => {},
  };
});

test('takes what is larger than a part, whole or not at all', async () => {
  const store = createS3Store(bucket, world.deps.db);
  const bytes = randomBytes(17_000_000);
  const pieces = [bytes.subarray(0, 16_000_000), bytes.subarray(16_000_000)];
  const hex = digest('sha256', bytes);
  expect(await store.put('files/large', bytesOf(...pieces))).toEqual({ size: bytes.length, sha256: hex });
  expect(await store.copy('files/large', 'files/copy')).toBe(true);
  const read = await store.get('files/copy', { start: 8_000_000, end: 16_999_999 });
  expect(Buffer.concat((await read?.toArray()) ?? []).equals(bytes.subarray(8_000_000))).toBe(true);
  const cut = new Error('cut');
  await expect(store.put('files/cut', bytesOf(...pieces, cut))).rejects.toBe(cut);
  expect(await store.stat('files/cut')).toBeUndefined();
  await store.sweep();
  const left: string[] = [];
  for await (const { key } of listMultiparts(bucket)) left.push(key);
  expect(left).toEqual([]);
});
