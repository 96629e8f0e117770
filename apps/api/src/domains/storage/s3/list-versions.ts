import type { FastifyReply } from 'fastify';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { findVersion } from '../object-versions.ts';
import { ownerXml } from './bucket-calls.ts';
import { keyWriter, pageSizeOf } from './list-objects.ts';
import { commonPrefixOf, successorOf } from './list-walk.ts';
import { versionIn, versionName } from './named-version.ts';
import type { BucketCall } from './s3-call.ts';
import type { S3Caller } from './s3-caller.ts';
import { sendXml } from './xml.ts';

interface Listed {
  id: string;
  key: string;
  versionId: string | null;
  isLatest: boolean;
  isDeleteMarker: boolean;
  etag: string;
  fileSize: number;
  uploadedAt: string;
  /** Null for the current one. */
  replacedAt: string | null;
}

/** Where a page goes on: with a key, after all that is of it, or after one of its versions, which may be gone by now. */
type From = { key: string } & (
  | { after: 'nothing' | 'current' | 'all' }
  | { after: 'former'; replacedAt: string; id: string }
  | { after: 'gone'; versionId: string }
);

/** The last instant whose year has four digits. */
const LATEST = Date.UTC(9999, 11, 31);

/** When an id was made, by the milliseconds since 1970 that it begins with (RFC 9562, UUID version 7). */
function madeAt(versionId: string): string {
  const at = Number.parseInt(versionId.replaceAll('-', '').slice(0, 12), 16);
  return new Date(Math.min(at, LATEST)).toISOString();
}

/** What of a key is older than a version that is gone. Ids of versions are in the order in which they came. */
function isOlder(table: 'f' | 'v', versionId: string): RawBuilder<SqlBool> {
  const [id, at] = [sql.ref(`${table}.version_id`), sql.ref(`${table}.uploaded_at`)];
  return sql`coalesce(${id} < ${versionId}::uuid, ${at} <= ${madeAt(versionId)}::timestamptz)`;
}

function currentAfter(from: From): RawBuilder<SqlBool> {
  const key = sql`${from.key}::text collate "C"`;
  if (from.after === 'nothing') return sql`f.key >= ${key}`;
  if (from.after !== 'gone') return sql`f.key > ${key}`;
  // Where the versions before it went too, an older one is current by now.
  return sql`f.key >= ${key} and (f.key > ${key} or ${isOlder('f', from.versionId)})`;
}

function formersAfter(from: From): RawBuilder<SqlBool> {
  const key = sql`${from.key}::text collate "C"`;
  if (from.after === 'all') return sql`v.key > ${key}`;
  if (from.after === 'gone') {
    return sql`v.key >= ${key} and (v.key > ${key} or ${isOlder('v', from.versionId)})`;
  }
  if (from.after !== 'former') return sql`v.key >= ${key}`;
  return sql`v.key >= ${key} and (v.key > ${key}
    or (v.replaced_at, v.id) < (${from.replacedAt}::timestamptz, ${from.id}::uuid))`;
}

/** By key, the current version first and then those before it; delete markers are among them. */
async function readAfter(
  { parts: { db }, bucket }: BucketCall,
  { prefix, from, limit }: { prefix: string; from: From; limit: number },
): Promise<Listed[]> {
  const end = prefix === '' ? undefined : successorOf(prefix);
  const within = (table: 'f' | 'v') => {
    const name = sql.ref(`${table}.key`);
    return sql`${sql.ref(`${table}.bucket_id`)} = ${bucket.id} and ${name} >= ${prefix}::text collate "C"
      ${end === undefined ? sql`` : sql`and ${name} < ${end}::text collate "C"`}`;
  };
  const { rows } = await sql<Listed>`
    select * from (
      (select f.id, f.key, f.version_id, true as is_latest, false as is_delete_marker, f.etag, f.file_size,
        f.uploaded_at, null::timestamptz as replaced_at
      from stored_files f
      where ${within('f')} and ${currentAfter(from)}
      order by f.key limit ${limit})
      union all
      (select v.id, v.key, v.version_id, not exists (
          select from stored_files c where c.bucket_id = v.bucket_id and c.key = v.key
        ) and not exists (
          select from file_versions n where n.bucket_id = v.bucket_id and n.key = v.key and n.trashed_at is null
            and (n.replaced_at, n.id) > (v.replaced_at, v.id)
        ), v.is_delete_marker, v.etag, v.file_size, v.uploaded_at, v.replaced_at
      from file_versions v
      where ${within('v')} and v.trashed_at is null and ${formersAfter(from)}
      order by v.key, v.replaced_at desc, v.id desc limit ${limit})
    ) versions order by key, replaced_at desc nulls first, id desc limit ${limit}`.execute(db);
  return rows;
}

function placeAfter({ key, replacedAt, id }: Listed): From {
  return replacedAt === null ? { key, after: 'current' } : { key, after: 'former', replacedAt, id };
}

async function readVersions(call: BucketCall, start: From, limit: number) {
  const { query } = call.address;
  const scope = { prefix: query.get('prefix') ?? '', delimiter: query.get('delimiter') ?? '' };
  const versions: Listed[] = [];
  const prefixes: string[] = [];
  let [from, last]: [From | undefined, { key: string; version?: Listed }] = [start, { key: '' }];
  while (from) {
    const rows: Listed[] = await readAfter(call, { prefix: scope.prefix, from, limit: limit + 1 });
    from = undefined;
    for (const row of rows) {
      if (versions.length + prefixes.length === limit) return { versions, prefixes, next: last };
      const common = commonPrefixOf(row.key, scope);
      if (common === undefined) {
        versions.push(row);
        last = { key: row.key, version: row };
        if (rows.length > limit) from = placeAfter(row);
        continue;
      }
      prefixes.push(common);
      last = { key: common };
      // What else begins so is passed over, however much it is.
      const behind = successorOf(common);
      from = behind === undefined ? undefined : { key: behind, after: 'nothing' };
      break;
    }
  }
  return { versions, prefixes, next: undefined };
}

/** Where the page begins that comes after a key and, if it is named, a version of it. */
async function startOf({ parts, bucket, address: { query } }: BucketCall): Promise<From> {
  const key = query.get('key-marker') ?? '';
  if (key === '') return { key: '', after: 'nothing' };
  const scope = { prefix: query.get('prefix') ?? '', delimiter: query.get('delimiter') ?? '' };
  const behind = commonPrefixOf(key, scope) === key ? successorOf(key) : undefined;
  if (behind !== undefined) return { key: behind, after: 'nothing' };
  const versionId = versionIn(query.get('version-id-marker') || null);
  if (versionId === undefined) return { key, after: 'all' };
  const place = { ownerId: bucket.ownerId, bucketId: bucket.id, key };
  const marked = await findVersion(parts.db, place, versionId);
  // Clients delete a page before they ask for the next one. Where the one without an id was, nobody knows any more.
  if (!marked) return versionId === null ? { key, after: 'nothing' } : { key, after: 'gone', versionId };
  if (!('replacedAt' in marked)) return { key, after: 'current' };
  return { key, after: 'former', replacedAt: marked.replacedAt, id: marked.id };
}

/** ListObjectVersions. */
export async function listVersions(call: BucketCall & { caller: S3Caller }): Promise<FastifyReply> {
  const { reply, bucket, caller, address } = call;
  const { query } = address;
  const write = keyWriter(query);
  const limit = pageSizeOf(query, 'max-keys');
  const start = await startOf(call);
  const nothing = { versions: [], prefixes: [], next: undefined };
  const { versions, prefixes, next } = limit === 0 ? nothing : await readVersions(call, start, limit);
  const shown = ({ key, versionId, isLatest, uploadedAt }: Listed) => ({
    ...{ Key: write(key), VersionId: versionName(versionId), IsLatest: isLatest },
    ...{ LastModified: new Date(uploadedAt).toISOString(), Owner: ownerXml(caller.workspace) },
  });
  return sendXml(reply, 'ListVersionsResult', {
    ...{ Name: bucket.name, Prefix: write(query.get('prefix') ?? '') },
    ...{ KeyMarker: write(query.get('key-marker') ?? '') },
    ...{ VersionIdMarker: query.get('version-id-marker') ?? '' },
    ...(next && {
      NextKeyMarker: write(next.key),
      NextVersionIdMarker: next.version && versionName(next.version.versionId),
    }),
    ...{ Delimiter: query.has('delimiter') ? write(query.get('delimiter') ?? '') : undefined },
    ...{ EncodingType: query.get('encoding-type') ?? undefined, MaxKeys: limit },
    IsTruncated: next !== undefined,
    Version: versions
      .filter(({ isDeleteMarker }) => !isDeleteMarker)
      .map((row) => ({
        ...{ ...shown(row), ETag: `"${row.etag}"`, Size: row.fileSize, StorageClass: 'STANDARD' },
      })),
    DeleteMarker: versions.filter(({ isDeleteMarker }) => isDeleteMarker).map(shown),
    CommonPrefixes: prefixes.map((common) => ({ Prefix: write(common) })),
  });
}
