import { type Page, type StoredFile, TRASH_DAYS, type TrashedFile } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { readPage } from '../../platform/list-page.ts';
import { freeName } from './same-path.ts';
import { fileOf } from './service.ts';
import type { StorageParts } from './storage.ts';
import { bringBack, deleteFormer, type VersionRow } from './versions.ts';

/** Rows that one transaction deletes. */
const AT_ONCE = 200;
const LIST = { id: 'id', texts: [], orders: {} };

function inTrash(db: Kysely<Database>) {
  return db.selectFrom('fileVersions').selectAll().where('trashedAt', 'is not', null);
}

function trashedFile({
  id,
  bucketId,
  fileName,
  filePath,
  fileSize,
  mimeType,
  replacedAt,
  trashedAt,
}: VersionRow): TrashedFile {
  const since = trashedAt ?? replacedAt;
  return { id, bucketId, fileName, filePath, fileSize, mimeType, trashedAt: since };
}

/** What was deleted last first. */
export async function listTrash(
  { db, ownerId }: UserContext,
  page?: z.output<typeof Page>,
): Promise<TrashedFile[]> {
  const rows = await readPage(inTrash(db).where('ownerId', '=', ownerId), LIST, page);
  return rows.map(trashedFile);
}

/** Brings a file back with its id; where its place is taken by now, with a number. Throws 404. */
export async function restoreFile(
  { db, ownerId, audit }: UserContext,
  { settings }: Pick<StorageParts, 'settings'>,
  id: string,
): Promise<StoredFile> {
  const row = await atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    const trashed = await ownTrash(trx, ownerId, id);
    const { bucketId, filePath, fileName, key } = trashed;
    const name = await freeName(trx, ownerId, { bucketId, filePath, fileName });
    const taken = await trx
      .selectFrom('storedFiles')
      .select('id')
      .where('bucketId', '=', bucketId)
      .where('key', '=', key)
      .executeTakeFirst();
    const keepsKey = name === fileName && !taken;
    return bringBack(trx, { ...trashed, fileName: name, key: keepsKey ? key : null });
  });
  audit.note({ subject: { id: row.id, name: row.fileName } });
  return fileOf(row, settings);
}

async function ownTrash(trx: Kysely<Database>, ownerId: string, id: string): Promise<VersionRow> {
  const trashed = await inTrash(trx)
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!trashed) throw notFound();
  return trashed;
}

/** Deletes a file for good. Throws 404. */
export async function removeTrashed(
  { db, ownerId, audit }: UserContext,
  { deletion }: Pick<StorageParts, 'deletion'>,
  id: string,
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    const trashed = await ownTrash(trx, ownerId, id);
    audit.note({ subject: { id: trashed.fileId, name: trashed.fileName } });
    await deleteFormer(trx, deletion, trashed);
  });
  return { success: true };
}

/** Deletes all that lies in somebody's trash when it is called. */
export async function emptyTrash(
  { db, ownerId }: UserContext,
  { deletion }: Pick<StorageParts, 'deletion'>,
): Promise<{ success: true }> {
  await deleteOldest(db, deletion, (rows) => rows.where('ownerId', '=', ownerId));
  return { success: true };
}

/** Deletes what lies in anybody's trash for seven days. */
export function sweepTrash(
  db: Kysely<Database>,
  { deletion }: Pick<StorageParts, 'deletion'>,
): Promise<void> {
  return deleteOldest(db, deletion, (rows) =>
    rows.where('trashedAt', '<', sql<string>`now() - make_interval(days => ${TRASH_DAYS})`),
  );
}

async function deleteOldest(
  db: Kysely<Database>,
  deletion: StorageParts['deletion'],
  those: (rows: ReturnType<typeof inTrash>) => ReturnType<typeof inTrash>,
): Promise<void> {
  for (;;) {
    const deleted = await atomically(db, async (trx) => {
      const rows = await those(inTrash(trx)).orderBy('id').limit(AT_ONCE).forUpdate().skipLocked().execute();
      for (const row of rows) await deleteFormer(trx, deletion, row);
      return rows.length;
    });
    if (deleted < AT_ONCE) return;
  }
}
