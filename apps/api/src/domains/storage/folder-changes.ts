import { MAX_MOVED, type storage } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { discardFile, leaveKey } from './delete-file.ts';
import { bucketOf, successorOf } from './folders.ts';
import type { FileRow } from './service.ts';
import type { StorageParts } from './storage.ts';
import { movedVersionId, versioningOf } from './versions.ts';

/** Files that one transaction deletes. */
const AT_ONCE = 200;
/** Characters of a path, as `FilePath` has it. */
const MAX_PATH = 1024;

/** Someone's files in a folder and below it. */
export function filesBelow(
  db: Kysely<Database>,
  ownerId: string,
  { bucketId, folder }: { bucketId: string; folder: string },
) {
  const path = sql<string>`file_path collate "C"`;
  return db
    .selectFrom('storedFiles')
    .where('ownerId', '=', ownerId)
    .where('bucketId', '=', bucketId)
    .where(path, '>=', folder)
    .where(path, '<', successorOf(folder));
}

/**
 * Gives all files of a folder another one, with what is below it. Throws 404 where the folder has none, 400 where it would
 * go into itself, 409 FOLDER_EXISTS and LIMIT.
 */
export async function moveFolder(
  { db, ownerId, audit }: UserContext,
  { bucketId: given, folder, to }: z.output<typeof storage.moveFolder.input>,
): Promise<{ success: true }> {
  if (to.startsWith(folder)) throw wrong('A folder cannot go into itself.');
  await atomically(db, async (trx) => {
    const bucketId = await bucketOf({ db: trx, ownerId }, given);
    await lockAccount(trx, ownerId);
    const files = await filesBelow(trx, ownerId, { bucketId, folder })
      .selectAll()
      .orderBy('id')
      .limit(MAX_MOVED + 1)
      .forUpdate()
      .execute();
    if (files.length === 0) throw notFound();
    if (files.length > MAX_MOVED) {
      throw conflict(
        'LIMIT',
        `A folder of more than ${MAX_MOVED.toLocaleString('en')} files cannot be moved.`,
      );
    }
    const inTheWay = await filesBelow(trx, ownerId, { bucketId, folder: to })
      .select('id')
      .limit(1)
      .executeTakeFirst();
    if (inTheWay) throw conflict('FOLDER_EXISTS', `There are files in ${to} already. Choose another name.`);
    if (files.some(({ filePath }) => filePath.length - folder.length + to.length > MAX_PATH)) {
      throw wrong(`A path can have at most ${MAX_PATH} characters.`);
    }
    audit.note({ subject: { kind: 'bucket', id: bucketId, name: folder }, after: { folder: to } });
    if ((await versioningOf(trx, bucketId)) !== 'off') {
      for (const file of files) await leaveKey(trx, file);
    }
    await trx
      .updateTable('storedFiles')
      .set({
        filePath: sql<string>`${to}::text || substr(file_path, length(${folder}::text) + 1)`,
        versionId: movedVersionId,
      })
      .where('ownerId', '=', ownerId)
      .where('id', '=', sql<string>`any(${files.map(({ id }) => id)}::uuid[])`)
      .execute();
  });
  return { success: true };
}

function wrong(message: string) {
  return invalid(message, [{ path: 'to', message }]);
}

/** Deletes what is in a folder and below it, as if it were done file by file. Throws 404 for somebody else's bucket. */
export async function removeFolder(
  { db, ownerId, audit }: UserContext,
  { deletion }: Pick<StorageParts, 'deletion'>,
  { bucketId: given, folder }: z.output<typeof storage.removeFolder.input>,
): Promise<void> {
  const bucketId = await bucketOf({ db, ownerId }, given);
  let deleted = 0;
  for (;;) {
    const some = await atomically(db, async (trx) => {
      await lockAccount(trx, ownerId);
      const files: FileRow[] = await filesBelow(trx, ownerId, { bucketId, folder })
        .selectAll()
        .orderBy('id')
        .limit(AT_ONCE)
        .forUpdate()
        .execute();
      for (const file of files) await discardFile(trx, deletion, file);
      return files.length;
    });
    deleted += some;
    if (some < AT_ONCE) break;
  }
  audit.note({ subject: { kind: 'bucket', id: bucketId, name: folder }, before: { files: deleted } });
}
