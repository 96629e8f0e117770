import type { FastifyReply } from 'fastify';
import { readRange } from '../../../http/bytes.ts';
import type { ByteRange } from '../../../platform/object-store/object-store.ts';
import { openBytes } from '../file-bytes.ts';
import { servedType } from '../media-types.ts';
import type { FileRow } from '../service.ts';
import { checksumHeader } from './checksums.ts';
import { setExpiration } from './expiration.ts';
import { findObject, missing, setVersion, versionIn } from './named-version.ts';
import { isKnown, isSameAsRanged } from './object-conditions.ts';
import { isHeaderValue, keptHeaders, typeOf } from './object-headers.ts';
import { type BucketCall, headerOf, keyOf } from './s3-call.ts';
import { badArgument, S3Error } from './s3-error.ts';

/** Headers that a signed address can have an object sent with. */
const OVERRIDES = ['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'expires'];

/** The object that a call reads. Throws NoSuchKey, and AccessDenied to those who may not even know. */
export async function readable(call: BucketCall): Promise<FileRow> {
  const { parts, bucket, caller } = call;
  const place = { ownerId: bucket.ownerId, bucketId: bucket.id, key: keyOf(call) };
  const versionId = versionIn(call.address.query.get('versionId'));
  // What is public is what a key names now: what it named before may have been taken back for a reason.
  if (!caller && versionId !== undefined) throw new S3Error('AccessDenied');
  const row = await findObject(parts.db, place, versionId);
  if (!caller && !bucket.isPublic && !row?.isPublic) throw new S3Error('AccessDenied');
  if (!row) throw await missing(parts.db, place, versionId);
  return row;
}

/** What an address asks to be sent in the place of what is kept. Throws InvalidRequest where nobody signed that. */
function overridesIn({ caller, address: { query } }: BucketCall): {
  type?: string;
  headers: Record<string, string>;
} {
  const asked = [...query.keys()].some((name) => name.startsWith('response-'));
  if (asked && !caller) {
    throw new S3Error('InvalidRequest', { message: 'Only who signs can change the headers of a response.' });
  }
  const headers = OVERRIDES.flatMap((name) => {
    const value = query.get(`response-${name}`);
    return value === null ? [] : [[name, value] as const];
  });
  const type = query.get('response-content-type');
  const invalid = [...headers, ['content-type', type ?? ''] as const].find(
    ([, value]) => !isHeaderValue(value),
  );
  if (invalid) throw badArgument(`response-${invalid[0]}`, 'A header cannot have this value.');
  return { ...(type !== null && { type }), headers: Object.fromEntries(headers) };
}

/**
 * The type that an object is sent with. At the console's own host an address that anybody can follow must not make a
 * script of what somebody stored.
 */
function sentType({ address, request }: BucketCall, row: FileRow, asked: string | undefined): string {
  const type = asked ?? typeOf(row);
  const isFollowed = !address.isOwnHost && request.headers.authorization === undefined;
  if (!isFollowed) return type;
  const [essence = '', ...parameters] = type.toLowerCase().split(';');
  const charset = /charset=["']?([\w.:-]+)/.exec(parameters.join(';'))?.[1] ?? null;
  return servedType(essence.trim(), charset);
}

/** What is sent: all, a range, or a part of what came in parts. */
interface Sent {
  range?: ByteRange;
  headers: Record<string, string>;
}

function sentOf({ request: { headers }, address: { query } }: BucketCall, row: FileRow): Sent {
  const part = query.get('partNumber');
  if (part !== null) {
    if (headers.range !== undefined) {
      throw new S3Error('InvalidRequest', { message: 'Ask for a range or for a part.' });
    }
    return partOf(row, part);
  }
  const range = isSameAsRanged(headers, row) ? readRange(headers.range, row.fileSize) : undefined;
  if (range === 'unsatisfiable') {
    throw new S3Error('InvalidRange', { headers: { 'content-range': `bytes */${row.fileSize}` } });
  }
  return { ...(range && { range }), headers: {} };
}

function partOf({ pieces, fileSize }: FileRow, part: string): Sent {
  const number = /^[1-9]\d{0,4}$/.test(part) ? Number(part) : 0;
  if (number === 0 || number > 10_000) throw badArgument('partNumber', 'partNumber has to be 1 to 10,000.');
  const sizes = pieces?.map(({ size }) => size) ?? [fileSize];
  const size = sizes[number - 1];
  if (size === undefined) throw new S3Error('InvalidPartNumber');
  const start = sizes.slice(0, number - 1).reduce((sum, one) => sum + one, 0);
  return {
    ...(fileSize > 0 && { range: { start, end: start + size - 1 } }),
    headers: pieces ? { 'x-amz-mp-parts-count': String(pieces.length) } : {},
  };
}

/** All that is said of an object without its bytes. */
function setHead(call: BucketCall, row: FileRow, isWhole: boolean): void {
  const { reply } = call;
  const { etag, uploadedAt, checksum, tags } = row;
  reply.headers({
    ...keptHeaders(row),
    ...{ etag: `"${etag}"`, 'last-modified': new Date(uploadedAt).toUTCString(), 'accept-ranges': 'bytes' },
    // Whatever the bytes are, a browser does not run them in our name.
    'content-security-policy': 'sandbox',
    'cross-origin-resource-policy': 'cross-origin',
  });
  setVersion(reply, call.bucket, row);
  // Who reads without a key is told nothing of the bucket, and former versions go by other rules.
  if (call.caller && !('replacedAt' in row)) setExpiration(reply, call.bucket, { ...row, key: keyOf(call) });
  const count = Object.keys(tags).length;
  if (count > 0 && call.caller) reply.header('x-amz-tagging-count', count);
  if (isWhole && checksum && headerOf(call, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED') {
    reply
      .header(checksumHeader(checksum.algorithm), checksum.value)
      .header('x-amz-checksum-type', checksum.type);
  }
}

/** GetObject and HeadObject. */
export async function getObject(call: BucketCall): Promise<FastifyReply> {
  const { parts, request, reply } = call;
  const row = await readable(call);
  const overrides = overridesIn(call);
  const { range, headers } = sentOf(call, row);
  const isKept = isKnown(request.headers, row);
  setHead(call, row, range === undefined);
  reply.headers({ ...overrides.headers, ...headers });
  if (isKept) return reply.code(304).send();
  const { fileSize } = row;
  reply.type(sentType(call, row, overrides.type));
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${fileSize}`);
  const length = range ? range.end - range.start + 1 : fileSize;
  if (request.method === 'HEAD') return reply.header('content-length', length).send();
  const bytes = await openBytes(parts.objects, row, range);
  if (!bytes) {
    parts.log.error({ fileId: row.id, objectKey: row.objectKey }, 'the bytes of a file are missing');
    throw new S3Error('InternalError');
  }
  return reply.header('content-length', length).send(bytes);
}
