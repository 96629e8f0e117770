import { randomUUID } from 'node:crypto';
import { MAX_UPLOAD_BYTES, type NewStoredFile, type NewUpload, type StoredFile } from '@nephos/contracts';
import type { z } from 'zod';
import type { Deps, UserContext } from '../../context.ts';
import { invalid, Refusal, tooLarge } from '../../errors.ts';
import type { Bytes, PutResult } from '../../platform/object-store/object-store.ts';
import { quotaExceeded, readQuota, roomOf, withinQuota } from '../billing/storage-quota.ts';
import { parseDataUrl } from './data-url.ts';
import { charsetOf, essenceOf } from './media-types.ts';
import { fileOf } from './service.ts';

/** Keys of files' bytes begin so. */
export const FILE_OBJECTS = 'files/';

/** The refusal of a file over 10 MiB, in the words of specification §5. */
export function fileTooLarge(): Refusal {
  return tooLarge('FILE_TOO_LARGE', 'File too large');
}

function wrong(path: string, message: string): Refusal {
  return invalid(message, [{ path, message }]);
}

/** Stores a file that came as a data URL. */
export async function createFile(
  ctx: UserContext,
  input: z.output<typeof NewStoredFile>,
): Promise<StoredFile> {
  const data = await parseDataUrl(input.fileData);
  if (!data)
    throw wrong('fileData', 'File data must be a data URL in base64, like data:text/plain;base64,SGk=.');
  if (data.size > MAX_UPLOAD_BYTES) throw fileTooLarge();
  if (data.size !== input.fileSize) throw wrong('fileSize', 'File size is not the size of the data.');
  if (input.mimeType !== '' && essenceOf(input.mimeType) !== data.mimeType) {
    throw wrong('mimeType', 'The type is not the one that the data names.');
  }
  const quota = await readQuota(ctx, ctx.user.id);
  if (data.size > roomOf(quota)) throw quotaExceeded(quota);
  const stored = await storeBytes(ctx, data.bytes());
  const charset = data.charset ?? charsetOf(input.mimeType);
  return addFile(ctx, { ...input, mimeType: data.mimeType, charset }, stored);
}

/** Bytes that are in the object store, for a row to refer to. */
export interface StoredBytes extends PutResult {
  objectKey: string;
}

/** Stores bytes under a key of their own. Until a row refers to it, the object is an orphan, which is swept. */
export async function storeBytes({ objects }: Pick<Deps, 'objects'>, bytes: Bytes): Promise<StoredBytes> {
  const objectKey = `${FILE_OBJECTS}${randomUUID()}`;
  return { objectKey, ...(await objects.put(objectKey, bytes)) };
}

/** Makes the row of a file whose bytes are stored. Throws 403 QUOTA_EXCEEDED, after which the bytes are gone. */
export async function addFile(
  { db, user, settings, objects }: UserContext,
  {
    fileName,
    filePath,
    isPublic,
    mimeType,
    charset,
  }: z.output<typeof NewUpload> & { mimeType: string; charset: string | null },
  { objectKey, size, sha256 }: StoredBytes,
): Promise<StoredFile> {
  try {
    const row = await withinQuota({ db, settings }, user.id, (trx) =>
      trx
        .insertInto('storedFiles')
        .values({
          ownerId: user.id,
          fileName,
          filePath,
          isPublic,
          mimeType,
          charset,
          objectKey,
          fileSize: size,
          sha256,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
    return fileOf(row, settings);
  } catch (error) {
    // Of what is refused no row can come any more; of what else fails one may, so that is left to the sweep.
    if (error instanceof Refusal) await objects.delete(objectKey);
    throw error;
  }
}
