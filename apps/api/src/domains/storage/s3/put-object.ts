import { randomUUID } from 'node:crypto';
import { isRetryable } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../../../core/errors.ts';
import type { Bytes } from '../../../platform/object-store/object-store.ts';
import { quotaExceeded, readQuota, roomOf, withinQuota } from '../../plans/storage-quota.ts';
import { dropReceived, FILE_OBJECTS, whileKeeping } from '../file-bytes.ts';
import { whileThereIsRoom } from '../in-flight.ts';
import type { FileRow } from '../service.ts';
import type { NewContent, ObjectPlace } from '../versions.ts';
import { objectAt, putObject as placeObject } from '../versions.ts';
import { checksumHeader } from './checksums.ts';
import { setExpiration } from './expiration.ts';
import { setVersion } from './named-version.ts';
import { assertWrite, isConditional, type WriteConditions, writeConditionsOf } from './object-conditions.ts';
import { isPublicAcl, objectHeadersOf, tagsIn } from './object-headers.ts';
import { storedChecksum } from './payload.ts';
import { type BucketCall, keyOf, type S3Parts, uploadOf } from './s3-call.ts';
import { S3Error } from './s3-error.ts';

/** Bytes up to which nobody asks beforehand whether they fit: when their row is made, that is judged for all. */
const SMALL = 64 * 1024;

/** Where a call's object is. */
export function placeOf(call: BucketCall): ObjectPlace {
  return { ownerId: call.bucket.ownerId, bucketId: call.bucket.id, key: keyOf(call) };
}

/** Throws QuotaExceeded where it is certain before anything is stored that so many bytes do not fit. */
export async function assertFits({ db, settings }: S3Parts, place: ObjectPlace, length: number) {
  const { ownerId } = place;
  const quota = await readQuota({ db, settings }, ownerId);
  const existing = await objectAt(db, place).executeTakeFirst();
  const spare = existing?.fileSize ?? 0;
  if (length > roomOf(quota) + spare) throw quotaExceeded(quota);
  return { ownerId, quota, spare };
}

/** What comes, while there is room for it beside all else that comes. */
async function fitting(
  parts: S3Parts,
  place: ObjectPlace,
  { length, bytes }: { length: number; bytes: Bytes },
): Promise<Bytes> {
  return length <= SMALL ? bytes : whileThereIsRoom(bytes, await assertFits(parts, place, length));
}

/**
 * Makes bytes that are stored the current object of a key, if the key is as the request expects it. After a refusal they
 * are gone.
 */
export async function placeStored(
  parts: S3Parts,
  place: ObjectPlace,
  {
    conditions,
    isKept,
    ...content
  }: NewContent & {
    isPublic?: boolean;
    conditions: WriteConditions;
    isKept?: () => Promise<void>;
  },
): Promise<FileRow> {
  const { db, settings, deletion } = parts;
  return withinQuota({ db, settings }, place.ownerId, async (trx) => {
    if (isConditional(conditions)) {
      assertWrite(conditions, await objectAt(trx, place).forUpdate().executeTakeFirst());
    }
    const row = await placeObject(trx, deletion, place, content);
    await isKept?.();
    return row;
  });
}

/** Whether after an error no row can come any more that refers to what was stored for it; of others the sweep takes care. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Refusal || error instanceof S3Error || isRetryable(error);
}

/** PutObject. */
export async function putObject(call: BucketCall): Promise<FastifyReply> {
  const { parts, reply, request } = call;
  const place = placeOf(call);
  const conditions = writeConditionsOf(request);
  const said = { ...objectHeadersOf(call), tags: tagsIn(call), isPublic: isPublicAcl(call) ?? false };
  const payload = uploadOf(call);
  const { length } = payload;
  if (length === undefined) throw new S3Error('MissingContentLength');
  if (isConditional(conditions)) assertWrite(conditions, await objectAt(parts.db, place).executeTakeFirst());
  const source = await fitting(parts, place, { length, bytes: payload.bytes });
  const objectKey = `${FILE_OBJECTS}${randomUUID()}`;
  const { size: fileSize, sha256, kept } = await parts.objects.receive(objectKey, source);
  const { md5: etag, checksum } = payload.received();
  try {
    const content = { fileSize, objectKey, sha256, etag, checksum: storedChecksum(checksum) };
    const row = await whileKeeping(kept, (isKept) =>
      placeStored(parts, place, { ...said, ...content, conditions, isKept }),
    );
    setVersion(reply, call.bucket, row);
    setExpiration(reply, call.bucket, { ...row, key: place.key });
  } catch (error) {
    if (isRefusal(error)) await dropReceived(parts.objects, { objectKey, kept });
    throw error;
  }
  if (checksum) {
    reply
      .header(checksumHeader(checksum.algorithm), checksum.value)
      .header('x-amz-checksum-type', 'FULL_OBJECT');
  }
  return reply.header('etag', `"${etag}"`).send();
}
