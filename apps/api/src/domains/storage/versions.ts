import type { Database, Pieces, StoredChecksum } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { notFound } from '../../core/errors.ts';
import { type BytesDeletion, deleteBytes } from './file-bytes.ts';
import type { FileRow } from './service.ts';

export type VersionRow = Selectable<Database['fileVersions']>;
export type Versioning = Selectable<Database['buckets']>['versioning'];

/** Seconds for which bytes outlive the row that had them: whoever is about to read them has a moment for it. */
export const REPLACED_SECONDS = 5;

/** What a file is made of. */
export interface NewContent {
  mimeType: string;
  charset: string | null;
  /** Bytes. */
  fileSize: number;
  objectKey: string;
  sha256: string | null;
  pieces?: Pieces | null;
  /** Without quotes; absent: that of what the console stores. */
  etag?: string;
  checksum?: StoredChecksum | null;
  metadata?: Record<string, string>;
  tags?: Record<string, string>;
}

/** Where an object of S3 clients is. */
export interface ObjectPlace {
  ownerId: string;
  bucketId: string;
  key: string;
}

/** A content as the table has it. */
function columnsOf({ pieces, etag, checksum, metadata, tags, ...content }: NewContent) {
  return {
    ...content,
    pieces: pieces ? JSON.stringify(pieces) : null,
    checksum: checksum ? JSON.stringify(checksum) : null,
    metadata: JSON.stringify(metadata ?? {}),
    tags: JSON.stringify(tags ?? {}),
    ...(etag !== undefined && { etag }),
  };
}

/** Throws 404 where the bucket was deleted meanwhile. */
export async function versioningOf(trx: Kysely<Database>, bucketId: string): Promise<Versioning> {
  const bucket = await trx
    .selectFrom('buckets')
    .select('versioning')
    .where('id', '=', bucketId)
    .executeTakeFirst();
  if (!bucket) throw notFound();
  return bucket.versioning;
}

/** The id of what a bucket stores next; null where it keeps one version without an id. */
export function nextVersionId(versioning: Versioning) {
  return versioning === 'enabled' ? sql<string>`uuid7()` : null;
}

/** The id of what gets another key in a bucket: as if it were stored there anew, so that ids are in the order of versions. */
export const movedVersionId = sql<string | null>`
  case when (select versioning from buckets where id = bucket_id) = 'enabled' then uuid7() else version_id end`;

/** Later than all that is kept of the key already. */
export const replacedAt = (bucketId: string, key: string | null) => sql<string>`greatest(clock_timestamp(), (
  select max(replaced_at) + interval '1 millisecond' from file_versions where bucket_id = ${bucketId} and key = ${key}))`;

const KEPT = sql.raw(
  `version_id, owner_id, bucket_id, file_path, file_size, mime_type, charset, is_public, object_key,
  sha256, pieces, etag, checksum, metadata, tags, created_at, uploaded_at`,
);

/** Makes a former version of a file's row, or what lies in the trash; the row itself is the caller's. */
export async function keepVersion(
  trx: Kysely<Database>,
  { id, bucketId, key }: Pick<FileRow, 'id' | 'bucketId' | 'key'>,
  { trashed = false } = {},
): Promise<void> {
  await sql`
    insert into file_versions (${KEPT}, file_name, key, file_id, replaced_at, trashed_at)
    select ${KEPT}, file_name, key, id, ${replacedAt(bucketId, key)}, ${trashed ? sql`clock_timestamp()` : sql`null`}
    from stored_files where id = ${id}`.execute(trx);
}

/** Deletes the version without an id that a key has beside its current one. */
export async function dropNullVersion(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  { bucketId, key }: { bucketId: string; key: string | null },
): Promise<void> {
  const dropped = await trx
    .deleteFrom('fileVersions')
    .where('bucketId', '=', bucketId)
    .where('key', '=', key)
    .where('versionId', 'is', null)
    .where('trashedAt', 'is', null)
    .returning(['objectKey', 'pieces'])
    .execute();
  for (const { objectKey, pieces } of dropped) {
    if (objectKey !== null) await deleteBytes(trx, deletion, { objectKey, pieces });
  }
}

/** Sees to what a row has that is about to have something else, or to go: a version where its bucket keeps them. */
export async function retire(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  row: FileRow,
  versioning: Versioning,
): Promise<void> {
  const isKept = versioning === 'enabled' || (versioning === 'suspended' && row.versionId !== null);
  if (isKept) await keepVersion(trx, row);
  else await deleteBytes(trx, deletion, row, { after: REPLACED_SECONDS });
  if (versioning === 'suspended' && isKept) await dropNullVersion(trx, deletion, row);
}

/** Gives a file, which the transaction holds, other bytes; its id and address stay, and unless said its visibility. */
export async function replaceContent(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  row: FileRow,
  { isPublic = row.isPublic, ...content }: NewContent & { isPublic?: boolean },
): Promise<FileRow> {
  const versioning = await versioningOf(trx, row.bucketId);
  await retire(trx, deletion, row, versioning);
  return trx
    .updateTable('storedFiles')
    .set({
      ...columnsOf(content),
      isPublic,
      versionId: nextVersionId(versioning),
      uploadedAt: sql<string>`now()`,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The current object of a key, as a query. */
export function objectAt(db: Kysely<Database>, { ownerId, bucketId, key }: ObjectPlace) {
  return db
    .selectFrom('storedFiles')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('bucketId', '=', bucketId)
    .where('key', '=', key);
}

/** Path and name of a key, as the console shows them. */
export function placeOfKey(key: string): { filePath: string; fileName: string } {
  const nameAt = key.lastIndexOf('/') + 1;
  return { filePath: `/${key.slice(0, nameAt)}`, fileName: key.slice(nameAt) };
}

/**
 * Makes a content the current object of a key, in a transaction that holds the account. As S3 has it, it is private
 * unless it is said to be public, whatever the one before was.
 */
export async function putObject(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  place: ObjectPlace,
  content: NewContent & { isPublic?: boolean },
): Promise<FileRow> {
  const { isPublic = false, ...bytes } = content;
  const existing = await objectAt(trx, place).forUpdate().executeTakeFirst();
  if (existing) return replaceContent(trx, deletion, existing, { ...bytes, isPublic });
  return insertFile(trx, deletion, { ...place, ...placeOfKey(place.key), isPublic }, bytes);
}

/** Makes a file where nothing is; without a `key` it gets that of its path and name. */
export async function insertFile(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  file: Omit<ObjectPlace, 'key'> & { key?: string } & Pick<FileRow, 'filePath' | 'fileName' | 'isPublic'>,
  content: NewContent,
): Promise<FileRow> {
  const versioning = await versioningOf(trx, file.bucketId);
  const row = await trx
    .insertInto('storedFiles')
    .values({ ...file, ...columnsOf(content), versionId: nextVersionId(versioning) })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (versioning === 'suspended') await dropNullVersion(trx, deletion, row);
  return row;
}

export function latestVersion(db: Kysely<Database>, { bucketId, key }: { bucketId: string; key: string }) {
  return db
    .selectFrom('fileVersions')
    .selectAll()
    .where('bucketId', '=', bucketId)
    .where('key', '=', key)
    .where('trashedAt', 'is', null)
    .orderBy('replacedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
}

/** Links that were shared before do not open what comes back. */
const newNonce = sql`floor(random() * 2147483647)::int`;

/** Makes a file of a former version, or of what is in the trash; `key` null gives it the one of its path and name. */
export async function bringBack(
  trx: Kysely<Database>,
  { id, fileId, fileName, key }: Pick<VersionRow, 'id' | 'fileId' | 'fileName' | 'key'>,
): Promise<FileRow> {
  const sameId = await trx.selectFrom('storedFiles').select('id').where('id', '=', fileId).executeTakeFirst();
  const { rows } = await sql<{ id: string }>`
    insert into stored_files (${KEPT}, id, file_name, key, share_nonce)
    select ${KEPT}, ${sameId ? sql`uuid7()` : sql`file_id`}, ${fileName}::text, ${key}::text, ${newNonce}
    from file_versions where id = ${id} returning id`.execute(trx);
  await trx.deleteFrom('fileVersions').where('id', '=', id).execute();
  return trx
    .selectFrom('storedFiles')
    .selectAll()
    .where('id', '=', rows[0]?.id ?? '')
    .executeTakeFirstOrThrow();
}
