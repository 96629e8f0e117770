import { isPreviewable, type StoredFile, type storage } from '@nephos/contracts';
import type { BytesAnswer } from '@nephos/contracts/kit';
import type { z } from 'zod';
import type { Context, UserContext } from '../../core/context.ts';
import { notFound, unauthorized } from '../../core/errors.ts';
import { toBase64 } from './data-url.ts';
import { openBytes } from './file-bytes.ts';
import { servedType } from './media-types.ts';
import { type FileRow, findOwn, findPublic, listFiles } from './service.ts';
import type { StorageParts } from './storage.ts';

type ReadingParts = Pick<StorageParts, 'objects' | 'log'>;

/** The file that the caller may read; somebody else's private one is not there. Throws 401 and 404. */
async function findReadable({ db, ownerId }: Context, id: string): Promise<FileRow> {
  const file = (ownerId && (await findOwn(db, ownerId, id))) || (await findPublic(db, id));
  if (file) return file;
  throw ownerId ? notFound() : unauthorized();
}

/** Most files are saved; a browser shows what it cannot run, where it is asked to. */
export function answerOf(
  { objects, log }: ReadingParts,
  {
    id,
    fileName,
    fileSize,
    mimeType,
    charset,
    etag,
    uploadedAt,
    objectKey,
    pieces,
  }: Omit<FileRow, 'shareNonce'>,
  inline: '1' | undefined,
): BytesAnswer {
  return {
    type: servedType(mimeType, charset),
    length: fileSize,
    fileName,
    inline: inline === '1' && isPreviewable(mimeType),
    validators: { etag: `"${etag}"`, modifiedAt: new Date(uploadedAt) },
    async body(range) {
      const bytes = await openBytes(objects, { objectKey, pieces }, range);
      if (bytes) return bytes;
      log.error({ fileId: id, objectKey }, 'the bytes of a file are missing');
      throw notFound();
    },
  };
}

/** A file for its owner, and for anyone when it is public. Throws 401 and 404. */
export async function downloadFile(
  ctx: Context,
  parts: ReadingParts,
  { id, inline }: z.output<typeof storage.download.input>,
): Promise<BytesAnswer> {
  return answerOf(parts, await findReadable(ctx, id), inline);
}

/** A public file, whatever name the address has. Throws 404. */
export async function downloadPublicFile(
  { db }: Context,
  parts: ReadingParts,
  { id, inline }: z.output<typeof storage.publicFile.input>,
): Promise<BytesAnswer> {
  const file = await findPublic(db, id);
  if (!file) throw notFound();
  return { ...answerOf(parts, file, inline), isPublic: true };
}

/** The signed-in person's files as JSON, newest first, with their bytes unless `fileData` is false. */
export async function listWithData(
  ctx: UserContext,
  parts: Pick<StorageParts, 'settings' | 'objects'>,
  { fileData, ...page }: z.output<typeof storage.listWithData.input>,
): Promise<BytesAnswer> {
  const files = await listFiles(ctx, parts.settings, page);
  return {
    type: 'application/json; charset=utf-8',
    body: () => (fileData ? jsonWithData(ctx, parts, files) : JSON.stringify(files)),
  };
}

/**
 * Each file with its bytes as a data URL, one piece after the other, so that memory stays flat however much there is. A
 * file that was deleted since has `fileData` null.
 */
async function* jsonWithData(
  { db, ownerId }: UserContext,
  { objects }: Pick<StorageParts, 'objects'>,
  files: readonly StoredFile[],
): AsyncGenerator<string> {
  let separator = '[';
  for (const file of files) {
    yield `${separator}${JSON.stringify(file).slice(0, -1)},"fileData":`;
    separator = ',';
    const row = await findOwn(db, ownerId, file.id);
    const bytes = row && (await openBytes(objects, row));
    if (!bytes) yield 'null}';
    else {
      yield `"data:${file.mimeType}${row.charset === null ? '' : `;charset=${row.charset}`};base64,`;
      yield* toBase64(bytes);
      yield '"}';
    }
  }
  yield separator === '[' ? '[]' : ']';
}
