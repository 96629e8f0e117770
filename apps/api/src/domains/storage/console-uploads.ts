import type { StoredFile, StoredFileUpload, storageUploads } from '@nephos/contracts';
import { MAX_KEY_BYTES, uploadPartSize } from '@nephos/contracts/constants';
import type { TakenBody } from '@nephos/contracts/kit';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { quotaExceeded } from '../plans/storage-quota.ts';
import { completeUpload } from './complete-upload.ts';
import { roomFor } from './create.ts';
import { bucketOf } from './folders.ts';
import { ANY_BYTES, charsetOf, essenceOf } from './media-types.ts';
import { addPart, beginUpload, findUpload, listParts, type UploadRow } from './multipart.ts';
import { placeFile } from './place-file.ts';
import { fileOf } from './service.ts';
import type { StorageParts } from './storage.ts';
import { placeOfKey } from './versions.ts';

type Rows = typeof storageUploads;
type UploadParts = Pick<StorageParts, 'settings' | 'objects' | 'deletion'>;

const MAX_LISTED = 100;

/** Begins a file of any size. Throws 403 QUOTA_EXCEEDED and 409 FILE_EXISTS, before anything is sent. */
export async function beginFile(
  ctx: UserContext,
  parts: UploadParts,
  input: z.output<Rows['begin']['input']>,
): Promise<{ id: string; partSize: number }> {
  const { fileName, filePath, size, mimeType, isPublic } = input;
  const key = filePath.slice(1) + fileName;
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) {
    const message = 'Path and name together can have up to 1,024 bytes.';
    throw invalid(message, [{ path: 'fileName', message }]);
  }
  const bucketId = await bucketOf(ctx, input.bucketId);
  const { quota, room } = await roomFor(ctx, parts, { ...input, bucketId });
  if (size > room) throw quotaExceeded(quota);
  const { id } = await beginUpload(ctx, {
    ...{ bucketId, key, isPublic, mimeType: essenceOf(mimeType) ?? ANY_BYTES, charset: charsetOf(mimeType) },
  });
  return { id, partSize: uploadPartSize(size) };
}

/** Stores one part of a file. Throws 403, 404 and 413. */
export async function putFilePart(
  ctx: UserContext,
  parts: UploadParts,
  { id, partNumber }: z.output<Rows['putPart']['input']>,
  { read }: TakenBody,
) {
  const { fileSize: size, etag } = await addPart(ctx, parts, id, { partNumber, read });
  return { partNumber, size, etag };
}

function uploadShown({ id, bucketId, key, createdAt, touchedAt }: UploadRow, size: number): StoredFileUpload {
  return { id, bucketId, ...placeOfKey(key), size, createdAt, touchedAt };
}

/** What of the caller's is on its way, newest first. */
export async function listUploads({ db, ownerId }: UserContext): Promise<StoredFileUpload[]> {
  const uploads = await db
    .selectFrom('multipartUploads')
    .selectAll()
    .select(sizeOf)
    .where('ownerId', '=', ownerId)
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  return uploads.map(({ size, ...upload }) => uploadShown(upload, size));
}

const sizeOf = () =>
  sql<number>`(select coalesce(sum(p.file_size), 0)::bigint from multipart_parts p where p.upload_id = multipart_uploads.id)`.as(
    'size',
  );

/** What has arrived of a file, to go on from. Throws 404. */
export async function getUpload(ctx: UserContext, id: string) {
  const upload = await findUpload(ctx, id);
  const rows = await listParts(ctx.db, id);
  const parts = rows.map(({ partNumber, fileSize: size, etag }) => ({ partNumber, size, etag }));
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  return { ...uploadShown(upload, size), parts };
}

/** Makes the file of its parts. Throws 404, 403, 409 FILE_EXISTS and INCOMPLETE. */
export async function completeFile(
  ctx: UserContext,
  parts: UploadParts,
  { id, size, ifExists }: z.output<Rows['complete']['input']>,
): Promise<StoredFile> {
  const placed = await completeUpload(ctx, parts, { id }, (trx, { upload, content }) => {
    const { ownerId, bucketId, key, isPublic } = upload;
    if (content.fileSize !== size) {
      throw conflict('INCOMPLETE', `${content.fileSize} of ${size} bytes have arrived. Send the rest first.`);
    }
    return placeFile(
      trx,
      parts.deletion,
      { ...placeOfKey(key), ownerId, bucketId, isPublic, ifExists },
      content,
    );
  });
  // Finished long ago, and replaced or deleted since.
  if ('fileId' in placed) throw notFound();
  return fileOf(placed, parts.settings);
}
