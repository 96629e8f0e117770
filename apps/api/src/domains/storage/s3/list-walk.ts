import type { Database, StoredChecksum } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** An object as lists show it. */
export interface ListedObject {
  key: string;
  etag: string;
  /** Bytes. */
  fileSize: number;
  uploadedAt: string;
  checksum: StoredChecksum | null;
}

/** An object, or what all keys have in common that go on after the delimiter. */
export type Entry = { object: ListedObject } | { prefix: string };

export interface Walk {
  bucketId: string;
  /** '' for all. */
  prefix: string;
  /** '' for none. */
  delimiter: string;
  /** The least key that can come; '' for any. */
  from: string;
  limit: number;
}

const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_AFTER_SURROGATES = 0xe000;
const LAST = 0x10ffff;

/** The least text that is greater than all that begin so, by the bytes of UTF-8; undefined where there is none. */
export function successorOf(prefix: string): string | undefined {
  const points = [...prefix].map((character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1;
  return String.fromCodePoint(...points, next);
}

/** The least key that is greater than this one: no key has a NUL. */
export function keyAfter(key: string): string {
  return `${key}\u0001`;
}

/** Where a list goes on behind an entry; undefined where nothing can follow. */
export function behind(entry: Entry): string | undefined {
  return 'prefix' in entry ? successorOf(entry.prefix) : keyAfter(entry.object.key);
}

/** What of a key lists show in its place: all up to the first delimiter after the prefix; undefined for the key itself. */
export function commonPrefixOf(
  key: string,
  { prefix, delimiter }: Pick<Walk, 'prefix' | 'delimiter'>,
): string | undefined {
  const at = delimiter === '' || !key.startsWith(prefix) ? -1 : key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}

function greater(one: string, other: string): string {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) > 0 ? one : other;
}

const SHOWN = sql.raw('f.key, f.etag, f.file_size, f.uploaded_at, f.checksum');

/** Lists what is in a bucket by the bytes of its keys, `limit` entries at most. */
export async function walkKeys(db: Kysely<Database>, walk: Walk): Promise<Entry[]> {
  const { bucketId, prefix, delimiter, limit } = walk;
  const from = greater(walk.from, prefix);
  const end = prefix === '' ? undefined : successorOf(prefix);
  const upTo = end === undefined ? sql`` : sql`and f.key < ${end}::text collate "C"`;
  if (delimiter !== '') return walkFolders(db, { ...walk, from, upTo });
  const { rows } = await sql<ListedObject>`
    select ${SHOWN} from stored_files f
    where f.bucket_id = ${bucketId} and f.key >= ${from}::text collate "C" ${upTo}
    order by f.key limit ${limit}`.execute(db);
  return rows.map((object) => ({ object }));
}

/** One look into the index for each entry, so that what is in a folder is passed over, however much it is. */
async function walkFolders(
  db: Kysely<Database>,
  { bucketId, prefix, delimiter, from, limit, upTo }: Walk & { upTo: ReturnType<typeof sql> },
): Promise<Entry[]> {
  const nextCharacter = successorOf([...delimiter].at(-1) ?? '') ?? '';
  const found = sql`
    select ${SHOWN}, common.prefix, (
      case when common.prefix is null then f.key || chr(1)
      else left(common.prefix, -1) || ${nextCharacter}::text end) collate "C" as next
    from (select f.* from stored_files f where f.bucket_id = ${bucketId} and f.key >= bound.next ${upTo} order by f.key limit 1) f,
    lateral (select strpos(substr(f.key, length(${prefix}::text) + 1), ${delimiter}::text) as at) delimiter,
    lateral (select case when delimiter.at > 0
      then left(f.key, length(${prefix}::text) + delimiter.at + length(${delimiter}::text) - 1) end collate "C" as prefix) common`;
  const { rows } = await sql<ListedObject & { prefix: string | null }>`
    with recursive walk as (
      select found.*, 1 as nth from (select ${from}::text collate "C" as next) bound, lateral (${found}) found
      union all
      select found.*, bound.nth + 1 from walk bound, lateral (${found}) found where bound.nth < ${limit}
    ) select key, etag, file_size, uploaded_at, checksum, prefix from walk order by nth`.execute(db);
  return rows.map(({ prefix: common, ...object }) => (common === null ? { object } : { prefix: common }));
}
