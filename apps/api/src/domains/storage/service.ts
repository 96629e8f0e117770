import type { FilePage, IfExists, StoredFile, StoredFileChange } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Expression, type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { type ListShape, readPage } from '../../platform/list-page.ts';
import { discardFile, leaveKey } from './delete-file.ts';
import { deleteBytes } from './file-bytes.ts';
import { bucketOf, successorOf } from './folders.ts';
import { fileAt, fileExists, freeName } from './same-path.ts';
import type { StorageParts } from './storage.ts';
import { movedVersionId } from './versions.ts';

export type FileRow = Selectable<Database['storedFiles']>;

/** A row as the contract shows it. */
export function fileOf(row: FileRow, { publicUrl }: Settings): StoredFile {
  const { id, fileName, filePath, fileSize, mimeType, isPublic, createdAt, uploadedAt } = row;
  const address = `${publicUrl.origin}/files/${id}/${encodeURIComponent(fileName)}`;
  return {
    id,
    fileName,
    filePath,
    fileSize,
    mimeType,
    isPublic,
    createdAt,
    uploadedAt,
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
  { bucketId, folder, ...page }: FileListInput = {},
): Promise<StoredFile[]> {
  const all = db
    .selectFrom('storedFiles')
    .selectAll()
    .where('bucketId', '=', await bucketOf({ db, ownerId }, bucketId));
  const rows = await readPage(folder === undefined ? all : inFolder(all, folder, page.search), LIST, page);
  return rows.map((row) => fileOf(row, settings));
}

/** By a path that the index holds; `FilePath` may be longer, and is then looked for without it. */
const MAX_INDEXED_PATH = 1024;

/** What lies directly in a folder; a search looks below it, too. */
function inFolder<Query extends { where: (condition: Expression<SqlBool>) => Query }>(
  files: Query,
  folder: string,
  search = '',
): Query {
  const path = sql`file_path collate "C"`;
  const within = Buffer.byteLength(folder) <= MAX_INDEXED_PATH;
  const indexed = within ? sql`octet_length(file_path) <= ${sql.lit(MAX_INDEXED_PATH)} and` : sql``;
  return files.where(
    search === ''
      ? sql<SqlBool>`${indexed} ${path} = ${folder}`
      : sql<SqlBool>`${path} >= ${folder} and ${path} < ${successorOf(folder)}`,
  );
}

/** Changes what a file is called and who can download it; its bytes and type stay. Throws 404 and 409 FILE_EXISTS. */
export async function updateFile(
  { db, ownerId, audit }: UserContext,
  { settings, deletion }: Pick<StorageParts, 'settings' | 'deletion'>,
  { id, ifExists, ...change }: z.output<typeof StoredFileChange>,
): Promise<StoredFile> {
  const row = await atomically(db, async (trx) => {
    const mayMove = change.fileName !== undefined || change.filePath !== undefined;
    if (mayMove && ifExists !== 'keep') await lockAccount(trx, ownerId);
    const file = await ownFile(trx, ownerId, id).forUpdate().executeTakeFirst();
    if (!file) throw notFound();
    const moved = { ...file, ...change };
    const moves = moved.fileName !== file.fileName || moved.filePath !== file.filePath;
    if (moves && ifExists !== 'keep') await makeWay(trx, { deletion }, { file: moved, ifExists });
    if (moves) await leaveKey(trx, file);
    const { fileName, filePath, isPublic } = moved;
    const { fileName: former, filePath: formerPath, isPublic: wasPublic } = file;
    audit.note({
      subject: { name: fileName },
      before: { fileName: former, filePath: formerPath, isPublic: wasPublic },
      after: { fileName, filePath, isPublic },
    });
    return trx
      .updateTable('storedFiles')
      .set({ fileName, filePath, isPublic, ...(moves && { versionId: movedVersionId }) })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return fileOf(row, settings);
}

/** Sees to it that a file is alone where it goes, under its account's lock; changes the name of `file` for that. */
async function makeWay(
  trx: Kysely<Database>,
  { deletion }: Pick<StorageParts, 'deletion'>,
  { file, ifExists }: { file: FileRow; ifExists: Exclude<IfExists, 'keep'> },
): Promise<void> {
  const sought = { ...file, otherThan: file.id };
  const existing = await fileAt(trx, file.ownerId, sought).forUpdate().executeTakeFirst();
  if (!existing) return;
  if (ifExists === 'refuse') throw fileExists(existing);
  if (ifExists === 'rename') file.fileName = await freeName(trx, file.ownerId, sought);
  else await discardFile(trx, deletion, existing);
}

/** Deletes a file: to the trash, or to the former versions of its bucket. Throws 404. */
export async function removeFile(
  { db, ownerId, audit }: Pick<UserContext, 'db' | 'ownerId' | 'audit'>,
  { deletion }: Pick<StorageParts, 'deletion'>,
  id: string,
): Promise<{ success: true }> {
  const name = await atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    const file = await ownFile(trx, ownerId, id).forUpdate().executeTakeFirst();
    if (!file) throw notFound();
    await discardFile(trx, deletion, file);
    return file.fileName;
  });
  audit.note({ subject: { name } });
  return { success: true };
}

/** Deletes a file for good; its bytes go once that is certain. Throws 404. */
export async function eraseFile(
  { db: trx, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  { deletion }: Pick<StorageParts, 'deletion'>,
  id: string,
): Promise<void> {
  const deleted = await trx
    .deleteFrom('storedFiles')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .returning(['objectKey', 'pieces'])
    .executeTakeFirst();
  if (!deleted) throw notFound();
  await deleteBytes(trx, deletion, deleted);
}

function ownFile(db: Kysely<Database>, ownerId: string, id: string) {
  return db.selectFrom('storedFiles').selectAll().where('ownerId', '=', ownerId).where('id', '=', id);
}

export function findOwn(db: Kysely<Database>, ownerId: string, id: string): Promise<FileRow | undefined> {
  return ownFile(db, ownerId, id).executeTakeFirst();
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
