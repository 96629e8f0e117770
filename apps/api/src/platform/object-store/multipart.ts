import { unavailableSince } from '../../core/errors.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { findObject } from './s3-objects.ts';

/**
 * Bytes of a part, by its number from 1 on: all the same for the first 40 GB, since some servers ask for that, then
 * larger, since there may be 10,000.
 */
export const PART = 8 * 1024 * 1024;
const LARGE_PART = 64 * 1024 * 1024;
const MANY = 5000;

export function partSize(number: number): number {
  return number <= MANY ? PART : LARGE_PART;
}

/** Copies above this size go by parts (S3's own limit is 5 GiB). */
const COPIED_AT_ONCE = 5 * 1024 ** 3;
const COPIED_PART = 1024 ** 3;

export interface Multipart {
  key: string;
  /** What the server calls it. */
  id: string;
}

export async function beginMultipart({ ask, name }: S3Bucket, key: string): Promise<Multipart> {
  const { UploadId: id = '' } = await ask((s3) => s3.createMultipartUpload({ Bucket: name, Key: key }));
  return { key, id };
}

/** Resolves to the part's entity tag, by which `completeMultipart` knows that it is this one. */
export async function sendPart(
  { ask, name }: S3Bucket,
  { key, id }: Multipart,
  { number, bytes }: { number: number; bytes: Buffer },
): Promise<string> {
  const { ETag: tag = '' } = await ask((s3) =>
    s3.uploadPart({ Bucket: name, Key: key, UploadId: id, PartNumber: number, Body: bytes }),
  );
  return tag;
}

/** Makes the parts an object of `size` bytes; it already being one is fine, since an answer may have been lost. */
export async function completeMultipart(
  bucket: S3Bucket,
  { key, id }: Multipart,
  { tags, size }: { tags: readonly string[]; size: number },
): Promise<void> {
  const { askFor, name } = bucket;
  const Parts = tags.map((ETag, at) => ({ ETag, PartNumber: at + 1 }));
  const done = await askFor((s3) =>
    s3.completeMultipartUpload({ Bucket: name, Key: key, UploadId: id, MultipartUpload: { Parts } }),
  );
  if (done) return;
  if ((await findObject(bucket, key))?.size !== size) throw unavailableSince('a multipart upload is gone');
}

export async function abortMultipart({ askFor, name }: S3Bucket, { key, id }: Multipart): Promise<void> {
  await askFor((s3) => s3.abortMultipartUpload({ Bucket: name, Key: key, UploadId: id }));
}

/** Every multipart upload that has not become an object. */
export async function* listMultiparts({
  ask,
  name,
}: S3Bucket): AsyncGenerator<Multipart & { begunAt: Date }> {
  let next: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (next) {
    const after: { KeyMarker?: string; UploadIdMarker?: string } = next;
    const page = await ask((s3) => s3.listMultipartUploads({ Bucket: name, ...after }));
    for (const { Key: key = '', UploadId: id = '', Initiated: begunAt = new Date() } of page.Uploads ?? []) {
      yield { key, id, begunAt };
    }
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    next =
      page.IsTruncated && KeyMarker ? { KeyMarker, ...(UploadIdMarker && { UploadIdMarker }) } : undefined;
  }
}

/** Copies an object within the bucket; false where there is none. */
export async function copyWithin(bucket: S3Bucket, key: string, to: string): Promise<boolean> {
  const { askFor, name } = bucket;
  const found = await findObject(bucket, key);
  if (!found) return false;
  const { size } = found;
  const source = `${name}/${key}`;
  if (size > COPIED_AT_ONCE) return copyInParts(bucket, { source, size, to });
  // Only as a replacement is an object copied to itself, which makes it young.
  const copied = await askFor((s3) =>
    s3.copyObject({ Bucket: name, Key: to, CopySource: source, MetadataDirective: 'REPLACE' }),
  );
  return copied !== undefined;
}

async function copyInParts(
  bucket: S3Bucket,
  { source, size, to }: { source: string; size: number; to: string },
): Promise<boolean> {
  const { ask, name } = bucket;
  const multipart = await beginMultipart(bucket, to);
  const { id } = multipart;
  try {
    const tags: string[] = [];
    for (let start = 0; start < size; start += COPIED_PART) {
      const range = `bytes=${start}-${Math.min(size, start + COPIED_PART) - 1}`;
      const { CopyPartResult: part } = await ask((s3) =>
        s3.uploadPartCopy({
          ...{ Bucket: name, Key: to, UploadId: id, PartNumber: tags.length + 1 },
          ...{ CopySource: source, CopySourceRange: range },
        }),
      );
      tags.push(part?.ETag ?? '');
    }
    await completeMultipart(bucket, multipart, { tags, size });
    return true;
  } catch (error) {
    await abortMultipart(bucket, multipart).catch(() => {});
    throw error;
  }
}
