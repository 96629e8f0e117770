import type { FastifyReply } from 'fastify';
import {
  behind,
  commonPrefixOf,
  type Entry,
  keyAfter,
  successorOf,
  type Walk,
  walkKeys,
} from './list-walk.ts';
import type { BucketCall } from './s3-call.ts';
import { badArgument } from './s3-error.ts';
import { sendXml, type XmlElements } from './xml.ts';

const MOST = 1000;

/** How many a page may have, by the parameter of that name. Throws InvalidArgument. */
export function pageSizeOf(query: URLSearchParams, name: string): number {
  const value = query.get(name);
  if (value === null || value === '') return MOST;
  if (!/^\d{1,10}$/.test(value) || Number(value) > 2 ** 31 - 1) {
    throw badArgument(name, `${name} has to be a number from 0 on.`);
  }
  return Math.min(Number(value), MOST);
}

/** How keys are written: as they are, or as in addresses, for what XML cannot hold. Throws InvalidArgument. */
export function keyWriter(query: URLSearchParams): (key: string) => string {
  const encoding = query.get('encoding-type');
  if (encoding !== null && encoding !== 'url')
    throw badArgument('encoding-type', 'encoding-type can be url.');
  return encoding === null ? (key) => key : (key) => encodeURIComponent(key).replaceAll('%2F', '/');
}

/** What both versions of the list have. */
interface Page {
  entries: readonly Entry[];
  /** Where the next page begins; undefined where there is none. */
  next: string | undefined;
  shown: XmlElements;
}

async function readPage(
  { parts, bucket, address: { query } }: BucketCall,
  { from, owner }: { from: string; owner: boolean },
): Promise<Page> {
  const write = keyWriter(query);
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const size = pageSizeOf(query, 'max-keys');
  const walk: Walk = { bucketId: bucket.id, prefix, delimiter, from, limit: size + 1 };
  const found = size === 0 ? [] : await walkKeys(parts.db, walk);
  const entries = found.slice(0, size);
  const last = entries.at(-1);
  const Owner = owner ? { ID: bucket.ownerId, DisplayName: bucket.ownerId } : undefined;
  return {
    entries,
    next: found.length > size && last ? behind(last) : undefined,
    shown: {
      Name: bucket.name,
      Prefix: write(prefix),
      Delimiter: delimiter === '' ? undefined : write(delimiter),
      MaxKeys: size,
      EncodingType: query.get('encoding-type') ?? undefined,
      Contents: entries.flatMap((entry) => {
        if ('prefix' in entry) return [];
        const { key, etag, fileSize, uploadedAt, checksum } = entry.object;
        return {
          ...{ Key: write(key), LastModified: new Date(uploadedAt).toISOString(), ETag: `"${etag}"` },
          ...{ ChecksumAlgorithm: checksum?.algorithm, ChecksumType: checksum?.type },
          ...{ Size: fileSize, Owner, StorageClass: 'STANDARD' },
        };
      }),
      CommonPrefixes: entries.flatMap((entry) => ('prefix' in entry ? { Prefix: write(entry.prefix) } : [])),
    },
  };
}

/** Where a list begins that goes on after a key, or after a prefix that an earlier page ended with. */
function startAfter(marker: string, query: URLSearchParams): string {
  if (marker === '') return '';
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const isPrefix = commonPrefixOf(marker, { prefix, delimiter }) === marker;
  return (isPrefix ? successorOf(marker) : undefined) ?? keyAfter(marker);
}

/** ListObjects, the first version. */
export async function listObjects(call: BucketCall): Promise<FastifyReply> {
  const { query } = call.address;
  const write = keyWriter(query);
  const marker = query.get('marker') ?? '';
  const { entries, next, shown } = await readPage(call, { from: startAfter(marker, query), owner: true });
  const last = entries.at(-1);
  const isNamed = next !== undefined && last !== undefined && query.has('delimiter');
  const nextMarker = isNamed ? ('prefix' in last ? last.prefix : last.object.key) : undefined;
  return sendXml(call.reply, 'ListBucketResult', {
    ...shown,
    Marker: write(marker),
    NextMarker: nextMarker === undefined ? undefined : write(nextMarker),
    IsTruncated: next !== undefined,
  });
}

/** ListObjectsV2. */
export async function listObjectsV2(call: BucketCall): Promise<FastifyReply> {
  const { query } = call.address;
  if (query.get('list-type') !== '2') throw badArgument('list-type', 'list-type has to be 2.');
  const write = keyWriter(query);
  const [token, after] = [query.get('continuation-token'), query.get('start-after')];
  const from = token === null ? startAfter(after ?? '', query) : startOf(token);
  const owner = query.get('fetch-owner') === 'true';
  const { entries, next, shown } = await readPage(call, { from, owner });
  return sendXml(call.reply, 'ListBucketResult', {
    ...shown,
    KeyCount: entries.length,
    ContinuationToken: token,
    NextContinuationToken: next === undefined ? undefined : tokenOf(next),
    StartAfter: after === null ? undefined : write(after),
    IsTruncated: next !== undefined,
  });
}

function tokenOf(start: string): string {
  return Buffer.from(start).toString('base64url');
}

/** Throws InvalidArgument for what no page gave. */
function startOf(token: string): string {
  const start = Buffer.from(token, 'base64url').toString();
  if (token === '' || tokenOf(start) !== token) {
    throw badArgument('continuation-token', 'continuation-token is none that a page gave.');
  }
  return start;
}
