import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { FILE_OBJECTS, openBytes, pieceKey } from '../file-bytes.ts';
import type { FileRow } from '../service.ts';
import { objectAt } from '../versions.ts';
import { createChecksum, namedAlgorithm } from './checksums.ts';
import { setExpiration } from './expiration.ts';
import { findBucket } from './find-bucket.ts';
import { findObject, isMarker, missing, setVersion, versionIn, versionName } from './named-version.ts';
import { assertSource, assertWrite, isConditional, writeConditionsOf } from './object-conditions.ts';
import { isPublicAcl, objectHeadersOf, tagsIn } from './object-headers.ts';
import { assertFits, isRefusal, placeOf, placeStored } from './put-object.ts';
import { type BucketCall, headerOf, opens, type S3Parts } from './s3-call.ts';
import type { S3Caller } from './s3-caller.ts';
import { badArgument, S3Error } from './s3-error.ts';
import { sendXml } from './xml.ts';

type Call = BucketCall & { caller: S3Caller };

/** Bucket, key and version that a copy names; null for what is none. */
function sourceOf(call: Call): { bucket: string; key: string; versionId: string | null } {
  const [path = '', search = ''] = (headerOf(call, 'x-amz-copy-source') ?? '').split(/\?(?=versionId=)/);
  let decoded = '';
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // Refused below, as what names nothing.
  }
  const [, bucket = '', key = ''] = /^\/?([^/]+)\/(.+)$/s.exec(decoded) ?? [];
  if (bucket === '') throw badArgument('x-amz-copy-source', 'x-amz-copy-source has to be <bucket>/<key>.');
  return { bucket, key, versionId: new URLSearchParams(search).get('versionId') };
}

/** What a call copies, which its key has to be able to read. Throws NoSuchBucket, NoSuchKey and PreconditionFailed. */
export async function copySource(call: Call): Promise<FileRow> {
  const { parts, caller, request } = call;
  const { bucket: name, key, versionId } = sourceOf(call);
  const bucket = await findBucket(parts, name, caller);
  const expected = headerOf(call, 'x-amz-source-expected-bucket-owner');
  if (expected !== undefined && expected !== bucket.ownerId) throw new S3Error('AccessDenied');
  const place = { ownerId: bucket.ownerId, bucketId: bucket.id, key };
  const named = versionIn(versionId);
  const row = await findObject(parts.db, place, named).catch((error: unknown) => {
    if (!isMarker(error)) throw error;
    throw new S3Error('InvalidRequest', { message: 'A delete marker cannot be copied.' });
  });
  const isForAnyone = named === undefined && (bucket.isPublic || row?.isPublic);
  const isOpen = opens(caller, bucket) || isForAnyone;
  if (!isOpen) throw new S3Error('AccessDenied');
  if (!row) throw await missing(parts.db, place, named);
  if (bucket.versioning !== 'off') {
    call.reply.header('x-amz-copy-source-version-id', versionName(row.versionId));
  }
  assertSource(request.headers, row);
  return row;
}

/** Which of two a directive says: to keep what the source has, or to take what the request says. */
function isReplaced(call: Call, header: string): boolean {
  const directive = headerOf(call, header) ?? 'COPY';
  if (directive !== 'COPY' && directive !== 'REPLACE')
    throw badArgument(header, `${header} has to be COPY or REPLACE.`);
  return directive === 'REPLACE';
}

/** Stores the same bytes once more, in the pieces that they have. */
async function copyBytes({ objects }: S3Parts, { objectKey, pieces }: FileRow): Promise<string> {
  const copy = `${FILE_OBJECTS}${randomUUID()}`;
  const names = pieces?.map(({ name }) => [pieceKey(objectKey, name), pieceKey(copy, name)] as const);
  for (const [from, to] of names ?? [[objectKey, copy] as const]) {
    if (!(await objects.copy(from, to))) throw new S3Error('NoSuchKey');
  }
  return copy;
}

/** The checksum of a copy: that of its source, or by the algorithm that is asked for. Throws InvalidRequest. */
async function checksumOf(call: Call, source: FileRow): Promise<FileRow['checksum']> {
  const name = headerOf(call, 'x-amz-checksum-algorithm');
  if (name === undefined) return source.checksum;
  const algorithm = namedAlgorithm(name);
  if (source.checksum?.algorithm === algorithm && source.checksum.type === 'FULL_OBJECT')
    return source.checksum;
  const running = await createChecksum(algorithm);
  const bytes = await openBytes(call.parts.objects, source);
  if (!bytes) throw new S3Error('InternalError');
  for await (const piece of bytes) running.update(piece);
  return { algorithm, type: 'FULL_OBJECT', value: await running.digest() };
}

/** CopyObject: within the store, whatever its size. */
export async function copyObject(call: Call): Promise<FastifyReply> {
  const { parts, reply, request } = call;
  const place = placeOf(call);
  const conditions = writeConditionsOf(request);
  const source = await copySource(call);
  const [takesHeaders, takesTags] = [
    isReplaced(call, 'x-amz-metadata-directive'),
    isReplaced(call, 'x-amz-tagging-directive'),
  ];
  // An older version is brought back so.
  const isItself =
    source.bucketId === place.bucketId && source.key === place.key && !('replacedAt' in source);
  if (isItself && !takesHeaders && !takesTags) {
    throw new S3Error('InvalidRequest', {
      message: 'A copy onto itself has to change its metadata or its tags.',
    });
  }
  const { mimeType, charset, metadata } = takesHeaders ? objectHeadersOf(call) : source;
  const { fileSize, sha256, pieces, etag } = source;
  const content = {
    ...{ mimeType, charset, metadata, fileSize, sha256, pieces, etag, conditions },
    ...{ tags: takesTags ? tagsIn(call) : source.tags, isPublic: isPublicAcl(call) ?? false },
  };
  if (isConditional(conditions)) assertWrite(conditions, await objectAt(parts.db, place).executeTakeFirst());
  await assertFits(parts, place, fileSize);
  const checksum = await checksumOf(call, source);
  const objectKey = await copyBytes(parts, source);
  try {
    const { uploadedAt, versionId } = await placeStored(parts, place, {
      ...content,
      ...{ checksum, objectKey },
    });
    setVersion(reply, call.bucket, { versionId });
    setExpiration(reply, call.bucket, { ...content, key: place.key, uploadedAt });
    return sendXml(reply, 'CopyObjectResult', {
      ...{ LastModified: new Date(uploadedAt).toISOString(), ETag: `"${etag}"` },
      ...(checksum && { ChecksumType: checksum.type, [`Checksum${checksum.algorithm}`]: checksum.value }),
    });
  } catch (error) {
    if (isRefusal(error)) {
      for (const name of pieces?.map(({ name }) => pieceKey(objectKey, name)) ?? [objectKey]) {
        await parts.objects.delete(name);
      }
    }
    throw error;
  }
}
