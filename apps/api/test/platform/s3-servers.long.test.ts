import { randomBytes } from 'node:crypto';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listMultiparts } from '../../src/platform/object-store/multipart.ts';
import { openBucket, type S3Bucket } from '../../src/platform/object-store/s3-bucket.ts';
import { listObjects } from '../../src/platform/object-store/s3-objects.ts';
import { createS3Store } from '../../src/platform/object-store/s3-store.ts';
import { type Credentials, clientFor, keyFor } from '../storage/s3-world.ts';
import { createWorld, type World } from '../world.ts';
import { bytesOf, digest, objectStoreContract } from './object-store-contract.ts';

const BUCKET = 'objects-of-another';

/** An S3 server of your choice, of which the tests make and empty a bucket: for example Ceph's radosgw. */
const {
  S3_TEST_ENDPOINT: endpoint,
  S3_TEST_ACCESS_KEY_ID: accessKeyId = '',
  S3_TEST_SECRET_ACCESS_KEY: secretAccessKey = '',
} = process.env;

let world: World;

beforeAll(async () => {
  world = await createWorld({ running: true });
});

afterAll(() => world.close());

async function ofAnotherNephos(): Promise<{ url: string; credentials: Credentials }> {
  const ada = await world.as('Ada');
  await ada.rpc.buckets.create.mutate({ name: BUCKET });
  return { url: world.url, credentials: await keyFor(ada) };
}

async function ofOthers(url: string): Promise<{ url: string; credentials: Credentials }> {
  const credentials = { accessKeyId, secretAccessKey };
  await clientFor({ url }, credentials).send(new CreateBucketCommand({ Bucket: BUCKET }));
  return { url, credentials };
}

const servers = [{ name: 'another Nephos', open: ofAnotherNephos }];
if (endpoint) servers.push({ name: endpoint, open: () => ofOthers(endpoint) });
else console.warn('skipped: an S3 server of somebody else, since S3_TEST_ENDPOINT names none');

describe.each(servers)('$name', ({ name, open }) => {
  let bucket: S3Bucket;

  beforeAll(async () => {
    const { url, credentials } = await open();
    bucket = await openBucket({
      ...{ endpoint: new URL(url), bucket: BUCKET, region: 'us-east-1', pathStyle: true, ...credentials },
    });
  });

  const keysOf = async (prefix: string) => {
    const keys: string[] = [];
    for await (const { key } of listObjects(bucket, prefix)) keys.push(key);
    return keys;
  };

  objectStoreContract(`a bucket of ${name}`, async () => {
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
});
