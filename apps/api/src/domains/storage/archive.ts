import type { storage } from '@nephos/contracts';
import { MAX_ARCHIVED } from '@nephos/contracts/constants';
import type { BytesAnswer } from '@nephos/contracts/kit';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { zipOf, zipSize } from '../../platform/zip.ts';
import { archivePaths, commonFolder } from './archive-paths.ts';
import { openBytes } from './file-bytes.ts';
import { filesBelow } from './folder-changes.ts';
import { bucketOf } from './folders.ts';
import { type FileRow, findOwn } from './service.ts';
import type { StorageParts } from './storage.ts';

type Input = z.output<typeof storage.archive.input>;
/** Of thousands, so without what may be long. */
const LISTED = ['id', 'filePath', 'fileName', 'fileSize', 'uploadedAt'] as const;
type Listed = Pick<FileRow, (typeof LISTED)[number]>;

/**
 * Files, or all that is in a folder and below it, as one archive, which is made while it is sent. Those that are not there are
 * left out. Throws 404 where none is, and 409 LIMIT.
 */
export async function downloadArchive(
  ctx: UserContext,
  parts: Pick<StorageParts, 'objects' | 'log'>,
  input: Input,
): Promise<BytesAnswer> {
  const files = await listFiles(ctx, input);
  const root = input.folder ?? commonFolder(files);
  const paths = archivePaths(files, root);
  const entries = files.map((file, at) => ({
    path: paths[at] ?? '',
    size: file.fileSize,
    modifiedAt: new Date(file.uploadedAt),
    open: () => openFile(ctx, parts, file),
  }));
  return {
    type: 'application/zip',
    length: zipSize(entries),
    fileName: `${root.split('/').at(-2) || 'files'}.zip`,
    body: () => zipOf(entries),
  };
}

async function listFiles({ db, ownerId }: UserContext, { ids, folder, bucketId }: Input): Promise<Listed[]> {
  const own =
    folder === undefined
      ? db
          .selectFrom('storedFiles')
          .where('ownerId', '=', ownerId)
          .where('id', 'in', ids ?? [])
      : filesBelow(db, ownerId, { bucketId: await bucketOf({ db, ownerId }, bucketId), folder });
  const files = await own
    .select(LISTED)
    // Without what only says that there is a folder.
    .where(sql<boolean>`(file_name <> '' or file_size > 0)`)
    .orderBy(sql`file_path collate "C"`)
    .orderBy('fileName')
    .orderBy('id')
    .limit(MAX_ARCHIVED + 1)
    .execute();
  if (files.length === 0) throw notFound('NOT_FOUND', 'There are no files here to download.');
  if (files.length <= MAX_ARCHIVED) return files;
  throw conflict(
    'LIMIT',
    `An archive can have up to ${MAX_ARCHIVED.toLocaleString('en')} files. Download the folders below this one.`,
  );
}

/** Its bytes, when its turn has come. */
async function openFile(
  { db, ownerId }: UserContext,
  { objects, log }: Pick<StorageParts, 'objects' | 'log'>,
  { id, fileSize }: Listed,
) {
  const file = await findOwn(db, ownerId, id);
  // The archive has told its length already.
  const isSame = file?.fileSize === fileSize;
  const bytes = isSame && (await openBytes(objects, file));
  if (bytes) return bytes;
  log.warn({ fileId: id }, 'a file of an archive is gone, or has another size by now');
  throw notFound();
}
