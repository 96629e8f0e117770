import { randomUUID } from 'node:crypto';
import { MAX_UPLOAD_BYTES, type NewStoredFile, type NewUpload, type StoredFile } from '@nephos/contracts';
import type { Earlier, Keyed } from '@nephos/contracts/implement';
import type { TakenBody } from '@nephos/contracts/kit';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { invalid, Refusal, tooLarge } from '../../core/errors.ts';
import type { Bytes, ObjectStore, Received } from '../../platform/object-store/object-store.ts';
import { quotaExceeded, readQuota, roomOf, type StorageQuota, withinQuota } from '../plans/storage-quota.ts';
import { parseDataUrl } from './data-url.ts';
import { dropReceived, FILE_OBJECTS, whileKeeping } from './file-bytes.ts';
import { ANY_BYTES, charsetOf, essenceOf } from './media-types.ts';
import { placeFile } from './place-file.ts';
import { fileAt, fileExists } from './same-path.ts';
import { fileOf } from './service.ts';
import type { StorageParts } from './storage.ts';

type StoringParts = Pick<StorageParts, 'settings' | 'objects' | 'deletion'>;

function fileTooLarge(): Refusal {
  return tooLarge('FILE_TOO_LARGE', 'File too large');
}

function wrong(path: string, message: string): Refusal {
  return invalid(message, [{ path, message }]);
}

/** Stores a file that came as a data URL. */
export async function createFile(
  ctx: UserContext,
  parts: StoringParts,
  input: z.output<typeof NewStoredFile>,
): Promise<StoredFile> {
  const data = await parseDataUrl(input.fileData);
  if (!data)
    throw wrong('fileData', 'File data must be a data URL in base64, like data:text/plain;base64,SGk=.');
  if (data.size > MAX_UPLOAD_BYTES) throw fileTooLarge();
  if (data.size !== input.fileSize) throw wrong('fileSize', 'File size does not match the data.');
  if (input.mimeType !== '' && essenceOf(input.mimeType) !== data.mimeType) {
    throw wrong('mimeType', 'MIME type does not match the data.');
  }
  const { quota, room } = await roomFor(ctx, parts, input);
  if (data.size > room) throw quotaExceeded(quota);
  const stored = await storeBytes(parts.objects, data.bytes());
  const charset = data.charset ?? charsetOf(input.mimeType);
  const { fileName, filePath, isPublic, ifExists } = input;
  const file = { fileName, filePath, isPublic, ifExists, mimeType: data.mimeType, charset };
  return whileKeeping(stored.kept, (isKept) => addFile(ctx, parts, file, { ...stored, isKept }));
}

/**
 * Stores a file whose bytes are the body, straight into the object store, its type being the `Content-Type`. What is cut
 * on the way leaves nothing.
 */
export async function uploadFile(
  ctx: UserContext,
  parts: StoringParts,
  input: z.output<typeof NewUpload>,
  sent: Keyed<UserContext> & { body: TakenBody },
): Promise<StoredFile | Earlier<StoredFile>> {
  const { type, read } = sent.body;
  const { limit, refuse } = await boundOf(ctx, parts, { ...sent, input });
  const stored = await storeBytes(parts.objects, read(limit, refuse));
  const file = { ...input, mimeType: essenceOf(type) ?? ANY_BYTES, charset: charsetOf(type) };
  const apart = `${file.mimeType};${file.charset} ${stored.sha256}`;
  return whileKeeping(stored.kept, (isKept) =>
    sent.once((inner) => addFile(inner, parts, file, { ...stored, isKept }), apart),
  );
}

/**
 * How many bytes are read. A repeated request's file may be there already, and counted, so it is read like any other;
 * whether it fits is decided when its row is made, as it is for all.
 */
async function boundOf(
  ctx: UserContext,
  parts: StoringParts,
  { key, body, input }: { key: unknown; body: TakenBody; input: Placing },
): Promise<{ limit: number; refuse: () => Refusal }> {
  const any = { limit: MAX_UPLOAD_BYTES, refuse: fileTooLarge };
  if (key !== undefined || (body.length ?? 0) > MAX_UPLOAD_BYTES) return any;
  const { quota, room } = await roomFor(ctx, parts, input);
  return room < MAX_UPLOAD_BYTES ? { limit: room, refuse: () => quotaExceeded(quota) } : any;
}

type Placing = Pick<z.output<typeof NewUpload>, 'fileName' | 'filePath' | 'ifExists'> & { bucketId?: string };

/**
 * The bytes that a file may have as things are: what it replaces makes room. Judged again when its row is made. Throws
 * 409 FILE_EXISTS, before anything is stored.
 */
export async function roomFor(
  { db, ownerId }: UserContext,
  { settings }: Pick<StoringParts, 'settings'>,
  { ifExists, ...place }: Placing,
): Promise<{ quota: StorageQuota; room: number }> {
  const isAlone = ifExists === 'replace' || ifExists === 'refuse';
  const existing = isAlone ? await fileAt(db, ownerId, place).executeTakeFirst() : undefined;
  if (existing && ifExists === 'refuse') throw fileExists(existing);
  const quota = await readQuota({ db, settings }, ownerId);
  return { quota, room: roomOf(quota) + (existing?.fileSize ?? 0) };
}

/** Bytes that the object store has or is about to keep, for a row to refer to. */
interface StoredBytes extends Received {
  objectKey: string;
}

/** Stores bytes under a key of their own. Until a row refers to it, the object is an orphan, which is swept. */
async function storeBytes(objects: ObjectStore, bytes: Bytes): Promise<StoredBytes> {
  const objectKey = `${FILE_OBJECTS}${randomUUID()}`;
  return { objectKey, ...(await objects.receive(objectKey, bytes)) };
}

function contentOf({ mimeType, charset }: FileInput, { size, objectKey, sha256 }: StoredBytes) {
  return { mimeType, charset, fileSize: size, objectKey, sha256 };
}

type FileInput = z.output<typeof NewUpload> & { mimeType: string; charset: string | null };

/**
 * Makes the row of a file whose bytes are stored, or gives them to the one that is there. Throws 403 QUOTA_EXCEEDED and
 * 409 FILE_EXISTS, after which the bytes are gone.
 */
async function addFile(
  { db, ownerId }: UserContext,
  parts: StoringParts,
  file: FileInput,
  stored: StoredBytes & { isKept: () => Promise<void> },
): Promise<StoredFile> {
  const { settings, objects } = parts;
  try {
    const row = await withinQuota({ db, settings }, ownerId, async (trx) => {
      const placed = await placeFile(trx, parts.deletion, { ...file, ownerId }, contentOf(file, stored));
      await stored.isKept();
      return placed;
    });
    return fileOf(row, settings);
  } catch (error) {
    // After a refusal no row can come any more; after another failure one may, so that is left to the sweep.
    if (error instanceof Refusal) await dropReceived(objects, stored);
    throw error;
  }
}
