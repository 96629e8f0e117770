import type { NewUpload } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { uploadsBucket } from '../buckets/service.ts';
import type { BytesDeletion } from './file-bytes.ts';
import { fileAt, fileExists, freeName } from './same-path.ts';
import type { FileRow } from './service.ts';
import { insertFile, type NewContent, replaceContent } from './versions.ts';

/** Where the console puts a file. */
export interface FilePlace extends z.output<typeof NewUpload> {
  ownerId: string;
  /** Absent: that of the console's files. */
  bucketId?: string;
}

/**
 * Makes the row of a file whose bytes are stored, or gives them to the one that is there, in a transaction that holds
 * the account. Throws 409 FILE_EXISTS.
 */
export async function placeFile(
  trx: Kysely<Database>,
  deletion: BytesDeletion,
  { ifExists, ...given }: FilePlace,
  content: NewContent,
): Promise<FileRow> {
  const file = { ...given, bucketId: given.bucketId ?? (await uploadsBucket(trx, given.ownerId)) };
  const existing =
    ifExists === 'keep' ? undefined : await fileAt(trx, file.ownerId, file).forUpdate().executeTakeFirst();
  if (existing && ifExists === 'refuse') throw fileExists(existing);
  if (existing && ifExists === 'replace') return replaceContent(trx, deletion, existing, content);
  const fileName = existing ? await freeName(trx, file.ownerId, file) : file.fileName;
  return insertFile(trx, deletion, { ...file, fileName }, content);
}
