import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { type BytesDeletion, deleteBytes } from './file-bytes.ts';
import type { FileRow } from './service.ts';
import {
  dropNullVersion,
  keepVersion,
  latestVersion,
  nextVersionId,
  type ObjectPlace,
  objectAt,
  placeOfKey,
  replacedAt,
  retire,
  type Versioning,
  type VersionRow,
  versioningOf,
} from './versions.ts';

/** Writes down that a key's object was deleted, as its newest version; the result is the id of that. */
export async function addMarker(
  trx: Kysely<Database>,
  { ownerId, bucketId, key }: ObjectPlace,
  { versioning, fileId }: { versioning: Versioning; fileId?: string },
): Promise<string | null> {
  const { versionId } = await trx
    .insertInto('fileVersions')
    .values({
      ...{ ownerId, bucketId, key, ...placeOfKey(key), isDeleteMarker: true },
      ...{ fileSize: 0, mimeType: '', isPublic: false, etag: '' },
      fileId: fileId ?? sql<string>`uuid7()`,
      versionId: nextVersionId(versioning),
      createdAt: sql<string>`now()`,
      uploadedAt: sql<string>`now()`,
      replacedAt: replacedAt(bucketId, key),
    })
    .returning('versionId')
    .executeTakeFirstOrThrow();
  return versionId;
}

/** What a deletion leaves: the id of the marker, or null for the one without an id; undefined where there is none. */
export interface Deleted {
  markerId?: string | null;
}

/**
 * Deletes the current object of a key as S3 does, in a transaction that holds the account: for good where its bucket
 * keeps no versions; elsewhere a marker follows it, also where there is nothing.
 */
export async function deleteObject(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  place: ObjectPlace,
): Promise<Deleted> {
  const row = await objectAt(trx, place).forUpdate().executeTakeFirst();
  const versioning = await versioningOf(trx, place.bucketId);
  if (row) {
    await retire(trx, deletion, row, versioning);
    await trx.deleteFrom('storedFiles').where('id', '=', row.id).execute();
  }
  if (versioning === 'off') return {};
  if (versioning === 'suspended') await dropNullVersion(trx, deletion, place);
  return { markerId: await addMarker(trx, place, { versioning, ...(row && { fileId: row.id }) }) };
}

/** Says of a key that a file has left for another one that it was deleted, where versions of it are kept. */
export async function leaveKey(trx: Kysely<Database>, { ownerId, bucketId, key }: FileRow): Promise<void> {
  if (key === null) return;
  const versioning = await versioningOf(trx, bucketId);
  if (versioning === 'off') return;
  const former = await latestVersion(trx, { bucketId, key }).executeTakeFirst();
  if (former && !former.isDeleteMarker) await addMarker(trx, { ownerId, bucketId, key }, { versioning });
}

/**
 * Deletes a file as the console does, in a transaction that holds the account: to the trash, or where its bucket keeps
 * versions, to those.
 */
export async function discardFile(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  row: FileRow,
): Promise<void> {
  const versioning = await versioningOf(trx, row.bucketId);
  const { ownerId, bucketId, key } = row;
  if (versioning === 'off' || key === null) await keepVersion(trx, row, { trashed: true });
  else await retire(trx, deletion, row, versioning);
  await trx.deleteFrom('storedFiles').where('id', '=', row.id).execute();
  if (versioning === 'off' || key === null) return;
  if (versioning === 'suspended') await dropNullVersion(trx, deletion, row);
  await addMarker(trx, { ownerId, bucketId, key }, { versioning, fileId: row.id });
}

/** Deletes a former version, or what is in the trash, with its bytes. */
export async function deleteFormer(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  { id, objectKey, pieces }: Pick<VersionRow, 'id' | 'objectKey' | 'pieces'>,
): Promise<void> {
  await trx.deleteFrom('fileVersions').where('id', '=', id).execute();
  if (objectKey !== null) await deleteBytes(trx, deletion, { objectKey, pieces });
}
