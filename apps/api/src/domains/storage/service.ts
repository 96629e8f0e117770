import type { FilePage, StoredFile, StoredFileChange } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import type { Settings } from '../../core/env.ts';
import { notFound } from '../../core/errors.ts';
import { type ListShape, readPage } from '../../platform/list-page.ts';
import type { StorageParts } from './storage.ts';

export type FileRow = Selectable<Database['storedFiles']>;

/** A row as the contract shows it. */
export function fileOf(row: FileRow, { publicUrl }: Settings): StoredFile {
  const { id, fileName, filePath, fileSize, mimeType, isPublic, createdAt } = row;
  const address = `${publicUrl.origin}/files/${id}/${encodeURIComponent(fileName)}`;
  return {
    id,
    fileName,
    filePath,
    fileSize,
    mimeType,
    isPublic,
    createdAt,
    publicUrl: isPublic ? address : null,
  };
}

type FileListInput = z.output<typeof FilePage>;

const LIST: ListShape<NonNullable<FileListInput['sort']>> = {
  id: 'id',
  texts: [sql`file_path || file_name`, sql`mime_type`],
  orders: {
    name: { key: sql`lower(file_name)`, direction: 'asc' },
    size: { key: sql`file_size`, direction: 'desc' },
  },
};

/** The signed-in person's files, newest first unless sorted otherwise, without their bytes. */
export async function listFiles(
  { db, ownerId }: UserContext,
  settings: Settings,
  input?: FileListInput,
): Promise<StoredFile[]> {
  const all = db.selectFrom('storedFiles').selectAll().where('ownerId', '=', ownerId);
  const rows = await readPage(all, LIST, input);
  return rows.map((row) => fileOf(row, settings));
}

/** Changes what a file is called and who can download it; its bytes and type stay. */
export async function updateFile(
  { db, ownerId }: UserContext,
  settings: Settings,
  { id, ...change }: z.output<typeof StoredFileChange>,
): Promise<StoredFile> {
  if (Object.values(change).some((value) => value !== undefined)) {
    await db
      .updateTable('storedFiles')
      .set(change)
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .execute();
  }
  const row = await findOwn(db, ownerId, id);
  if (!row) throw notFound();
  return fileOf(row, settings);
}

/** Deletes a file; its bytes go once that is certain. */
export async function removeFile(
  { db, ownerId }: UserContext,
  { deletion }: Pick<StorageParts, 'deletion'>,
  id: string,
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    const deleted = await trx
      .deleteFrom('storedFiles')
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .returning('objectKey')
      .executeTakeFirst();
    if (!deleted) throw notFound();
    await deletion.enqueue(trx, deleted);
  });
  return { success: true };
}

export function findOwn(db: Kysely<Database>, ownerId: string, id: string): Promise<FileRow | undefined> {
  return db
    .selectFrom('storedFiles')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A file that its owner lets anyone download. */
export function findPublic(db: Kysely<Database>, id: string): Promise<FileRow | undefined> {
  return db
    .selectFrom('storedFiles')
    .selectAll()
    .where('isPublic', '=', true)
    .where('id', '=', id)
    .executeTakeFirst();
}
