import { createHash } from 'node:crypto';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import {
  abortMultipart,
  beginMultipart,
  completeMultipart,
  copyWithin,
  type Multipart,
  PART,
  partSize,
  sendPart,
} from './multipart.ts';
import {
  assertKey,
  assertPrefix,
  type Bytes,
  type ObjectStore,
  type PutResult,
  type StoredObject,
} from './object-store.ts';
import { createFlight, createPartBuffer } from './part-buffer.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { deleteObject, findObject, listObjects, putObject, readObject } from './s3-objects.ts';
import { createS3Uploads, isUploading } from './s3-uploads.ts';

/** Objects as objects of a bucket, under their own keys. Any number of processes may have it open. */
export function createS3Store(bucket: S3Bucket, db: Kysely<Database>): ObjectStore {
  const uploads = createS3Uploads(bucket, db);
  return {
    async put(key, source) {
      assertKey(key);
      return put(bucket, key, source);
    },

    async receive(key, source) {
      assertKey(key);
      return { ...(await put(bucket, key, source)), kept: Promise.resolve() };
    },

    async get(key, range) {
      assertKey(key);
      return readObject(bucket, key, range);
    },

    async stat(key) {
      assertKey(key);
      return findObject(bucket, key);
    },

    async copy(key, to) {
      assertKey(key);
      assertKey(to);
      return copyWithin(bucket, key, to);
    },

    async delete(key) {
      assertKey(key);
      await deleteObject(bucket, key);
    },

    list(prefix) {
      assertPrefix(prefix);
      return ownObjects(bucket, prefix);
    },

    uploads,
    sweep: () => uploads.sweep(),
  };
}

async function* ownObjects(bucket: S3Bucket, prefix: string): AsyncGenerator<StoredObject> {
  for await (const object of listObjects(bucket, prefix)) if (!isUploading(object.key)) yield object;
}

/** An object of one part is there at once, a larger one when its last part is. */
async function put(bucket: S3Bucket, key: string, source: Bytes): Promise<PutResult> {
  const hash = createHash('sha256');
  const tags: string[] = [];
  let size = 0;
  let multipart: Multipart | undefined;
  const flight = createFlight(async (bytes) => {
    multipart ??= await beginMultipart(bucket, key);
    tags.push(await sendPart(bucket, multipart, { number: tags.length + 1, bytes }));
  });
  const parts = createPartBuffer(partSize);
  try {
    for await (const piece of source) {
      hash.update(piece);
      size += piece.length;
      for (const part of parts.add(piece)) await flight.add(part);
    }
    const rest = parts.take();
    if (size < PART) await putObject(bucket, key, rest);
    else {
      if (rest.length > 0) await flight.add(rest);
      await flight.landed();
      if (multipart) await completeMultipart(bucket, multipart, { tags, size });
    }
    return { size, sha256: hash.digest('hex') };
  } catch (error) {
    await flight.landed().catch(() => {});
    if (multipart) await abortMultipart(bucket, multipart).catch(() => {});
    throw error;
  }
}
