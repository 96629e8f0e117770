import type { FileVersion, StoredFile } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { deleteFormer } from './delete-file.ts';
import { answerOf } from './download.ts';
import { type Former, restoreContent } from './object-versions.ts';
import { fileOf, findOwn } from './service.ts';
import type { StorageParts } from './storage.ts';

const MAX_LISTED = 500;

/** Throws 404. */
export async function listVersions({ db, ownerId }: UserContext, fileId: string): Promise<FileVersion[]> {
  const file = await findOwn(db, ownerId, fileId);
  if (!file) throw notFound();
  return formerOf(db, ownerId)
    .where('bucketId', '=', file.bucketId)
    .where('key', '=', file.key)
    .orderBy('replacedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .select(['id', 'fileSize', 'mimeType', 'uploadedAt', 'replacedAt'])
    .execute();
}

/** Throws 404. */
export async function downloadVersion(
  { db, ownerId }: UserContext,
  parts: Pick<StorageParts, 'objects' | 'log'>,
  id: string,
) {
  return answerOf(parts, await findFormer(db, ownerId, id), undefined);
}

/** Gives a file what it was before, by its key. Throws 404, also where nothing is at that key any more. */
export async function restoreVersion(
  { db, ownerId, audit }: UserContext,
  { settings, deletion }: Pick<StorageParts, 'settings' | 'deletion'>,
  id: string,
): Promise<StoredFile> {
  const row = await atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    return restoreContent(trx, deletion, await findFormer(trx, ownerId, id));
  });
  if (!row) throw notFound();
  audit.note({ subject: { id: row.id, name: row.fileName } });
  return fileOf(row, settings);
}

/** Throws 404. */
export async function removeVersion(
  { db, ownerId, audit }: UserContext,
  { deletion }: Pick<StorageParts, 'deletion'>,
  id: string,
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    const version = await findFormer(trx, ownerId, id);
    audit.note({ subject: { id: version.fileId, name: version.fileName } });
    await deleteFormer(trx, deletion, version);
  });
  return { success: true };
}

/** Neither what says that there was a deletion, nor what lies in the trash. */
function formerOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('fileVersions')
    .where('ownerId', '=', ownerId)
    .where('trashedAt', 'is', null)
    .where('isDeleteMarker', '=', false);
}

async function findFormer(db: Kysely<Database>, ownerId: string, id: string): Promise<Former> {
  const row = await formerOf(db, ownerId).where('id', '=', id).selectAll().executeTakeFirst();
  if (!row || row.objectKey === null) throw notFound();
  return { ...row, objectKey: row.objectKey };
}
