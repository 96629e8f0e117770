import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { type Deleted, deleteFormer, deleteObject } from './delete-file.ts';
import { type BytesDeletion, deleteAllBytes, deleteBytes } from './file-bytes.ts';
import type { FileRow } from './service.ts';
import {
  bringBack,
  latestVersion,
  type ObjectPlace,
  objectAt,
  REPLACED_SECONDS,
  replaceContent,
  type VersionRow,
  versioningOf,
} from './versions.ts';

/** A version of a key by its id, null for the one without; undefined where there is none. */
export async function findVersion(
  db: Kysely<Database>,
  place: ObjectPlace,
  versionId: string | null,
): Promise<FileRow | VersionRow | undefined> {
  const current = await objectAt(db, place)
    .where('versionId', 'is not distinct from', versionId)
    .executeTakeFirst();
  return current ?? formerVersion(db, place, versionId).executeTakeFirst();
}

function formerVersion(
  db: Kysely<Database>,
  { ownerId, bucketId, key }: ObjectPlace,
  versionId: string | null,
) {
  return db
    .selectFrom('fileVersions')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('bucketId', '=', bucketId)
    .where('key', '=', key)
    .where('versionId', 'is not distinct from', versionId)
    .where('trashedAt', 'is', null);
}

/** Gives a version that was found, current or former, other tags. Answers whether it is there still. */
export async function setVersionTags(
  trx: Kysely<Database>,
  version: FileRow | VersionRow,
  tags: Record<string, string>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('isDeleteMarker' in version ? 'fileVersions' : 'storedFiles')
    .set({ tags: JSON.stringify(tags) })
    .where('ownerId', '=', version.ownerId)
    .where('id', '=', version.id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Deletes a version for good, in a transaction that holds the account; where it was the current one, the one before it
 * is current again. Answers whether it was a delete marker; undefined where there is no such version.
 */
export async function deleteVersion(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  place: ObjectPlace,
  versionId: string | null,
): Promise<{ wasMarker: boolean } | undefined> {
  const current = await objectAt(trx, place)
    .where('versionId', 'is not distinct from', versionId)
    .forUpdate()
    .executeTakeFirst();
  if (current) {
    await deleteBytes(trx, deletion, current);
    await trx.deleteFrom('storedFiles').where('id', '=', current.id).execute();
    await promoteLatest(trx, place);
    return { wasMarker: false };
  }
  const former = await formerVersion(trx, place, versionId).forUpdate().executeTakeFirst();
  if (!former) return undefined;
  await deleteFormer(trx, deletion, former);
  await promoteLatest(trx, place);
  return { wasMarker: former.isDeleteMarker };
}

/** A version with bytes. */
export type Former = VersionRow & { objectKey: string };

/** Gives a key's file what it was before, in a transaction that holds the account; undefined where it has none. */
export async function restoreContent(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  { id, ownerId, bucketId, key, ...version }: Former,
): Promise<FileRow | undefined> {
  if (key === null) return undefined;
  const current = await objectAt(trx, { ownerId, bucketId, key }).forUpdate().executeTakeFirst();
  if (!current) return undefined;
  const { mimeType, charset, fileSize, objectKey, sha256, pieces, etag, checksum, metadata, tags } = version;
  await trx.deleteFrom('fileVersions').where('id', '=', id).execute();
  return replaceContent(trx, deletion, current, {
    ...{ mimeType, charset, fileSize, objectKey, sha256, pieces, etag, checksum, metadata, tags },
  });
}

/** Makes the file again of a key that was deleted, of its newest version; undefined where there is none, or a file. */
export async function undelete(trx: Kysely<Database>, place: ObjectPlace): Promise<FileRow | undefined> {
  if (await objectAt(trx, place).executeTakeFirst()) return undefined;
  for (;;) {
    const latest = await latestVersion(trx, place).forUpdate().executeTakeFirst();
    if (!latest) return undefined;
    if (!latest.isDeleteMarker) return bringBack(trx, latest);
    await trx.deleteFrom('fileVersions').where('id', '=', latest.id).execute();
  }
}

/** Deletes all that was ever at a key where nothing is any more. */
export async function deleteAllVersions(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  { ownerId, bucketId, key }: ObjectPlace,
): Promise<void> {
  const rows = await trx
    .selectFrom('fileVersions')
    .select(['id', 'objectKey', 'pieces'])
    .where('ownerId', '=', ownerId)
    .where('bucketId', '=', bucketId)
    .where('key', '=', key)
    .where('trashedAt', 'is', null)
    .forUpdate()
    .execute();
  for (const row of rows) await deleteFormer(trx, deletion, row);
}

/** Where a key has nothing current, its latest version is that, unless it is a delete marker. */
async function promoteLatest(trx: Kysely<Database>, place: ObjectPlace): Promise<void> {
  if (await objectAt(trx, place).executeTakeFirst()) return;
  const latest = await latestVersion(trx, place).forUpdate().executeTakeFirst();
  if (latest && !latest.isDeleteMarker) await bringBack(trx, latest);
}

/**
 * Deletes the current objects of many keys as `deleteObject` does each, in their order. Where a bucket keeps no versions
 * it takes a few statements, however many they are.
 */
export async function deleteObjects(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  { ownerId, bucketId }: Omit<ObjectPlace, 'key'>,
  keys: readonly string[],
): Promise<Deleted[]> {
  if (keys.length === 0) return [];
  if ((await versioningOf(trx, bucketId)) !== 'off') {
    const deleted: Deleted[] = [];
    for (const key of keys) deleted.push(await deleteObject(trx, deletion, { ownerId, bucketId, key }));
    return deleted;
  }
  const gone = await trx
    .deleteFrom('storedFiles')
    .where('ownerId', '=', ownerId)
    .where('bucketId', '=', bucketId)
    .where('key', 'in', keys)
    .returning(['objectKey', 'pieces'])
    .execute();
  await deleteAllBytes(trx, deletion, gone, { after: REPLACED_SECONDS });
  return keys.map(() => ({}));
}
