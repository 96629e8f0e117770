import { createHash, type Hash, randomUUID } from 'node:crypto';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { Refusal, unavailableSince } from '../../core/errors.ts';
import {
  abortMultipart,
  beginMultipart,
  completeMultipart,
  copyWithin,
  listMultiparts,
  partSize,
  sendPart,
} from './multipart.ts';
import {
  assertKey,
  type Bytes,
  type DigestAlgorithm,
  type ExpectedDigest,
  NoSuchUpload,
  UploadConflict,
  type Uploads,
  WrongDigest,
} from './object-store.ts';
import { createFlight, createPartBuffer } from './part-buffer.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { deleteObject, findObject, listObjects, putObject, readObject } from './s3-objects.ts';
import { createUploadRows, type HeldUpload, type UploadRows } from './upload-rows.ts';

/** Where the bytes of uploads are until they are finished; no object's key begins so. */
const UPLOADING = '_uploads/';
export const isUploading = (key: string) => key.startsWith(UPLOADING);
const KEPT_HOURS = 24;
const KEPT_MS = KEPT_HOURS * 60 * 60 * 1000;

/** Longer than storing any object takes. */
const ABANDONED_MS = 7 * 24 * 60 * 60 * 1000;

/** The hash of an upload's first `size` bytes; only the process that has seen them all has it. */
interface Progress {
  algorithm: DigestAlgorithm;
  hash: Hash;
  size: number;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * Uploads as multipart uploads of a bucket. A part has a least size there, so what is left over waits as an object of
 * its own, and any process can go on from there.
 */
export function createS3Uploads(
  bucket: S3Bucket,
  db: Kysely<Database>,
): Uploads & { sweep(): Promise<void> } {
  const rows = createUploadRows(db);
  const progress = new Map<string, Progress>();

  async function drop(upload: HeldUpload): Promise<void> {
    progress.delete(upload.id);
    await removeBytes(bucket, upload);
    await upload.forget();
  }

  return {
    size: async (id) => (await rows.find(id))?.size,
    isFinished: async (id) => (await rows.find(id))?.isFinished ?? false,

    async begin(algorithm = 'sha256') {
      for (const [id, { at }] of progress) if (at < Date.now() - KEPT_MS) progress.delete(id);
      const id = await rows.begin();
      progress.set(id, { algorithm, hash: createHash(algorithm), size: 0, at: Date.now() });
      return id;
    },

    append: (id, source, offset) =>
      rows.alone(id, async (upload) => {
        const { size, isFinished } = upload.state;
        if (offset !== size || isFinished) throw new UploadConflict(size);
        // Taken out while it is fed: after a failure it may not stand for what is in the bucket.
        const known = progress.get(id);
        progress.delete(id);
        const hashing = known?.size === offset ? known : undefined;
        try {
          const grown = await appendTo(bucket, upload, source, hashing?.hash);
          if (hashing) progress.set(id, { ...hashing, size: grown, at: Date.now() });
          return grown;
        } catch (error) {
          if (error instanceof Refusal && error.reason === 'STORAGE_FULL') await drop(upload);
          throw error;
        }
      }),

    async finish(id, key, expected) {
      assertKey(key);
      return rows.alone(id, async (upload) => {
        const { size } = upload.state;
        const whole = await makeWhole(bucket, upload);
        const known = progress.get(id);
        if ((await digestOf(bucket, { key: whole, size }, known, expected)) !== expected.hex) {
          await drop(upload);
          throw new WrongDigest('The bytes do not have this digest.');
        }
        if (!(await copyWithin(bucket, whole, key)))
          throw unavailableSince('the bytes of an upload are gone');
        progress.delete(id);
        return size;
      });
    },

    async abort(id) {
      if (!(await rows.find(id))) return false;
      await rows.alone(id, drop);
      return true;
    },

    async sweep() {
      for (const id of await rows.untouched(KEPT_HOURS)) await rows.alone(id, drop).catch(ignoreConflict);
      await sweepLeftovers(bucket, rows);
    },
  };
}

const wholeKey = (id: string) => `${UPLOADING}${id}/whole`;

/** Adds what `source` yields to what has arrived, and resolves to the new size. */
async function appendTo(
  bucket: S3Bucket,
  upload: HeldUpload,
  source: Bytes,
  hash: Hash | undefined,
): Promise<number> {
  const { id, state } = upload;
  let [sent, multipartId] = [state.parts.length, state.multipartId];
  const parts = createPartBuffer(partSize, sent + 1);
  const former = state.restKey === null ? undefined : await bytesOf(bucket, state.restKey);
  // It is shorter than the part that it will be in.
  for (const _full of parts.add(former ?? Buffer.alloc(0)));
  let size = state.size - (former?.length ?? 0);
  const flight = createFlight(async (bytes) => {
    multipartId ??= (await beginMultipart(bucket, wholeKey(id))).id;
    sent += 1;
    const tag = await sendPart(bucket, { key: wholeKey(id), id: multipartId }, { number: sent, bytes });
    size += bytes.length;
    await upload.addPart({ multipartId, tag, size });
  });
  try {
    for await (const piece of source) {
      hash?.update(piece);
      for (const part of parts.add(piece)) await flight.add(part);
    }
  } finally {
    await flight.landed();
    const rest = parts.take();
    size += rest.length;
    if (rest.length > 0 && size > state.size) {
      const restKey = `${UPLOADING}${id}/${randomUUID()}`;
      await putObject(bucket, restKey, rest);
      await upload.change({ size, restKey });
    }
  }
  if (state.restKey !== null && size > state.size) await deleteObject(bucket, state.restKey);
  return size;
}

async function bytesOf(bucket: S3Bucket, key: string): Promise<Buffer> {
  const stream = await readObject(bucket, key);
  if (!stream) throw unavailableSince('the bytes of an upload are gone');
  return Buffer.concat(await stream.toArray());
}

/** Closes an upload: all of its bytes are one object by then, whose key this gives. */
async function makeWhole(bucket: S3Bucket, { id, state, change }: HeldUpload): Promise<string> {
  const { multipartId, parts, restKey, size, isFinished } = state;
  if (isFinished && restKey !== null) return restKey;
  const key = wholeKey(id);
  if (multipartId !== null) {
    // A server that ended just here has made it whole already.
    if ((await findObject(bucket, key))?.size !== size) {
      const multipart = { key, id: multipartId };
      const tags = [...parts];
      if (restKey !== null) {
        const bytes = await bytesOf(bucket, restKey);
        tags.push(await sendPart(bucket, multipart, { number: tags.length + 1, bytes }));
      }
      await completeMultipart(bucket, multipart, { tags, size });
    }
  } else if (restKey === null) await putObject(bucket, key, Buffer.alloc(0));
  const whole = multipartId === null && restKey !== null ? restKey : key;
  await change({ isFinished: true, multipartId: null, parts: [], restKey: whole });
  if (restKey !== null && restKey !== whole) await deleteObject(bucket, restKey);
  return whole;
}

async function digestOf(
  bucket: S3Bucket,
  { key, size }: { key: string; size: number },
  known: Progress | undefined,
  { algorithm }: ExpectedDigest,
): Promise<string> {
  if (known?.algorithm === algorithm && known.size === size) return known.hash.copy().digest('hex');
  const hash = createHash(algorithm);
  const stream = await readObject(bucket, key);
  if (!stream) throw unavailableSince('the bytes of an upload are gone');
  for await (const piece of stream) hash.update(piece);
  return hash.digest('hex');
}

async function removeBytes(bucket: S3Bucket, { id, state: { multipartId } }: HeldUpload): Promise<void> {
  if (multipartId !== null) await abortMultipart(bucket, { key: wholeKey(id), id: multipartId });
  for await (const { key } of listObjects(bucket, `${UPLOADING}${id}/`)) await deleteObject(bucket, key);
}

function ignoreConflict(error: unknown): void {
  if (!(error instanceof UploadConflict || error instanceof NoSuchUpload)) throw error;
}

function uploadOf(key: string): string | undefined {
  return isUploading(key) ? key.slice(UPLOADING.length).split('/')[0] : undefined;
}

/** Deletes what servers that were killed have left: bytes of no upload, and parts that will be no object. */
async function sweepLeftovers(bucket: S3Bucket, rows: UploadRows): Promise<void> {
  const isKnown = async (key: string) => {
    const id = uploadOf(key);
    return id !== undefined && (await rows.find(id)) !== undefined;
  };
  for await (const { key, storedAt } of listObjects(bucket, UPLOADING)) {
    if (storedAt.getTime() < Date.now() - KEPT_MS && !(await isKnown(key))) await deleteObject(bucket, key);
  }
  for await (const { key, id, begunAt } of listMultiparts(bucket)) {
    const isOld = begunAt.getTime() < Date.now() - ABANDONED_MS;
    if (isOld && !(await isKnown(key))) await abortMultipart(bucket, { key, id });
  }
}
