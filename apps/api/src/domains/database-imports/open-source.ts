import { openBytes } from '../storage/file-bytes.ts';
import { DumpRefused } from './dump-refused.ts';
import { type DumpSource, fetchDump } from './fetch-dump.ts';
import type { ImportParts } from './parts.ts';

/** Binds a sealed address to the import that it is for. */
export const urlContext = (databaseId: string, name: string) =>
  `database_imports.sealed_url ${databaseId} ${name}`;

interface Row {
  ownerId: string;
  databaseId: string;
  fileId: string | null;
  sealedUrl: Buffer | null;
  name: string;
}

/** The bytes of what a row names. Whoever asked reads or destroys them. Throws `DumpRefused`. */
export async function openSource(
  { db, objects, secrets }: ImportParts,
  { ownerId, databaseId, fileId, sealedUrl, name }: Row,
  signal: AbortSignal,
): Promise<DumpSource> {
  if (sealedUrl) return fetchDump(secrets.open(sealedUrl, urlContext(databaseId, name)), { signal });
  const file =
    fileId === null
      ? undefined
      : await db
          .selectFrom('storedFiles')
          .where('ownerId', '=', ownerId)
          .where('id', '=', fileId)
          .select(['objectKey', 'pieces', 'fileSize'])
          .executeTakeFirst();
  const bytes = file && (await openBytes(objects, file));
  if (!file || !bytes) throw new DumpRefused('The file is not in the storage any more.');
  return { bytes, size: file.fileSize };
}
