import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { UploadRow } from '../multipart.ts';
import { ownerXml } from './bucket-calls.ts';
import { keyWriter, pageSizeOf } from './list-objects.ts';
import { commonPrefixOf, successorOf } from './list-walk.ts';
import type { BucketCall } from './s3-call.ts';
import type { S3Caller } from './s3-caller.ts';
import { sendXml } from './xml.ts';

const NO_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface From {
  key: string;
  /** Uploads of that key with greater ids come. */
  id: string;
}

function readAfter(
  { parts: { db }, bucket }: BucketCall,
  { prefix, from, limit }: { prefix: string; from: From; limit: number },
): Promise<UploadRow[]> {
  const end = prefix === '' ? undefined : successorOf(prefix);
  return db
    .selectFrom('multipartUploads')
    .selectAll()
    .where('bucketId', '=', bucket.id)
    .where(sql<boolean>`(key, id) > (${from.key}::text collate "C", ${from.id}::uuid)`)
    .where('key', '>=', prefix)
    .$if(end !== undefined, (rows) => rows.where('key', '<', end ?? ''))
    .orderBy('key')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Uploads by their keys, and what of those is in common up to the delimiter. */
async function readUploads(call: BucketCall, from: From, limit: number) {
  const { query } = call.address;
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const uploads: UploadRow[] = [];
  const prefixes: string[] = [];
  let [at, last]: [From | undefined, From] = [from, from];
  while (at) {
    const rows: UploadRow[] = await readAfter(call, { prefix, from: at, limit: limit + 1 });
    at = undefined;
    for (const row of rows) {
      if (uploads.length + prefixes.length === limit) return { uploads, prefixes, next: last };
      const common = commonPrefixOf(row.key, { prefix, delimiter });
      if (common === undefined) {
        uploads.push(row);
        last = { key: row.key, id: row.id };
        if (rows.length > limit) at = last;
        continue;
      }
      prefixes.push(common);
      last = { key: common, id: LAST_ID };
      // What else begins so is passed over, however much it is.
      const behind = successorOf(common);
      at = behind === undefined ? undefined : { key: behind, id: NO_ID };
      break;
    }
  }
  return { uploads, prefixes, next: undefined };
}

/** Where a page begins: after a prefix that an earlier one ended with, after all uploads of a key, or one of them. */
function startOf(query: URLSearchParams): From {
  const [key, id] = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? ''];
  if (key === '') return { key: '', id: NO_ID };
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const isPrefix = commonPrefixOf(key, { prefix, delimiter }) === key;
  const behind = isPrefix ? successorOf(key) : undefined;
  if (behind !== undefined) return { key: behind, id: NO_ID };
  return { key, id: UUID.test(id) ? id : LAST_ID };
}

/** ListMultipartUploads. */
export async function listUploads(call: BucketCall & { caller: S3Caller }): Promise<FastifyReply> {
  const { reply, bucket, caller, address } = call;
  const { query } = address;
  const write = keyWriter(query);
  const limit = pageSizeOf(query, 'max-uploads');
  const { uploads, prefixes, next } =
    limit === 0
      ? { uploads: [], prefixes: [], next: undefined }
      : await readUploads(call, startOf(query), limit);
  const [prefix, delimiter] = [query.get('prefix'), query.get('delimiter')];
  return sendXml(reply, 'ListMultipartUploadsResult', {
    ...{ Bucket: bucket.name, KeyMarker: write(query.get('key-marker') ?? '') },
    ...{ UploadIdMarker: query.get('upload-id-marker') ?? '' },
    ...(next && { NextKeyMarker: write(next.key), NextUploadIdMarker: next.id }),
    ...{ Prefix: prefix === null ? undefined : write(prefix) },
    ...{ Delimiter: delimiter === null ? undefined : write(delimiter) },
    ...{ EncodingType: query.get('encoding-type') ?? undefined, MaxUploads: limit },
    IsTruncated: next !== undefined,
    Upload: uploads.map(({ id, key, createdAt, checksum }) => ({
      ...{ Key: write(key), UploadId: id, Initiated: new Date(createdAt).toISOString() },
      ...{ Initiator: ownerXml(caller.workspace), Owner: ownerXml(caller.workspace) },
      ...{ StorageClass: 'STANDARD', ChecksumAlgorithm: checksum?.algorithm, ChecksumType: checksum?.type },
    })),
    CommonPrefixes: prefixes.map((common) => ({ Prefix: write(common) })),
  });
}
