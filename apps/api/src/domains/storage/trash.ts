import { type Page, type StoredFile, TRASH_DAYS, type TrashedFile } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { readPage } from '../../platform/list-page.ts';
import { deleteFormer } from './delete-file.ts';
import { deleteAllVersions, undelete } from './object-versions.ts';
import { freeName } from './same-path.ts';
import { fileOf } from './service.ts';
import type { StorageParts } from './storage.ts';
import { bringBack, type VersionRow } from './versions.ts';

/** Rows that one transaction deletes. */
const AT_ONCE = 200;
const LIST = { id: 'id', texts: [], orders: {} };

function inTrash(db: Kysely<Database>) {
  return db.selectFrom('fileVersions').selectAll().where('trashedAt', 'is not', null);
}

/** What was deleted and can be brought back: also what is the last that versions tell of a key, where nothing is any more. */
function deleted(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('fileVersions')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where(({ or, eb }) =>
      or([
        eb('trashedAt', 'is not', null),
        // In both, the index holds the row.
        sql<boolean>`is_delete_marker and not exists (
          select from stored_files f where f.bucket_id = file_versions.bucket_id and f.key = file_versions.key
        ) and not exists (
          select from file_versions l where l.bucket_id = file_versions.bucket_id and l.key = file_versions.key
            and l.trashed_at is null
            and (l.replaced_at, l.id) > (file_versions.replaced_at, file_versions.id)
        ) and exists (
          select from file_versions v where v.bucket_id = file_versions.bucket_id and v.key = file_versions.key
            and v.trashed_at is null and not v.is_delete_marker
        )`,
      ]),
    );
}

/** Bytes and type of what a marker deleted; what lies in the trash has its own. */
const BEFORE = (column: 'file_size' | 'mime_type') => sql`(
  select v.${sql.ref(column)} from file_versions v
  where v.bucket_id = file_versions.bucket_id and v.key = file_versions.key and v.trashed_at is null
    and not v.is_delete_marker
  order by v.replaced_at desc, v.id desc limit 1)`;

type Shown = VersionRow & { sizeBefore: number | null; typeBefore: string | null };

function trashedFile({
  id,
  bucketId,
  fileName,
  filePath,
  replacedAt,
  trashedAt,
  ...row
}: Shown): TrashedFile {
  return {
    ...{ id, bucketId, fileName, filePath, trashedAt: trashedAt ?? replacedAt, isKept: trashedAt === null },
    fileSize: row.sizeBefore ?? row.fileSize,
    mimeType: row.typeBefore ?? row.mimeType,
  };
}

/** What was deleted last first. */
export async function listTrash(
  { db, ownerId }: UserContext,
  page?: z.output<typeof Page>,
): Promise<TrashedFile[]> {
  const shown = deleted(db, ownerId).select([
    sql<number | null>`case when is_delete_marker then ${BEFORE('file_size')} end`.as('sizeBefore'),
    sql<string | null>`case when is_delete_marker then ${BEFORE('mime_type')} end`.as('typeBefore'),
  ]);
  const rows = await readPage(shown, LIST, page);
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
    if (trashed.isDeleteMarker && key !== null) return undelete(trx, { ownerId, bucketId, key });
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
  if (!row) throw notFound();
  audit.note({ subject: { id: row.id, name: row.fileName } });
  return fileOf(row, settings);
}

async function ownTrash(trx: Kysely<Database>, ownerId: string, id: string): Promise<VersionRow> {
  const trashed = await deleted(trx, ownerId).where('id', '=', id).forUpdate().executeTakeFirst();
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
    await lockAccount(trx, ownerId);
    const trashed = await ownTrash(trx, ownerId, id);
    const { bucketId, key } = trashed;
    audit.note({ subject: { id: trashed.fileId, name: trashed.fileName } });
    if (trashed.isDeleteMarker && key !== null) {
      await deleteAllVersions(trx, deletion, { ownerId, bucketId, key });
    } else await deleteFormer(trx, deletion, trashed);
  });
  return { success: true };
}

/** Deletes all that lies in somebody's trash when it is called; versions stay. */
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
