import { createHash, type Hash, randomBytes } from 'node:crypto';
import { MAX_PARTS } from '@nephos/contracts/constants';
import { atomically, type Database, type StoredChecksum } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { notFound, Refusal, tooLarge } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import type { Bytes } from '../../platform/object-store/object-store.ts';
import { quotaExceeded, readQuota, roomOf, type StorageQuota, withinQuota } from '../plans/storage-quota.ts';
import { deleteBytes, FILE_OBJECTS, pieceKey } from './file-bytes.ts';
import { whileThereIsRoom } from './in-flight.ts';
import type { StorageParts } from './storage.ts';
import type { ObjectPlace } from './versions.ts';

/** Bytes of a part at most: S3's bound. */
export const MAX_PART_BYTES = 5 * 1024 ** 3;
/** Days for which an upload waits for its next part. */
const STALE_DAYS = 7;
const SWEPT_AT_ONCE = 100;

export type MultipartParts = Pick<StorageParts, 'settings' | 'objects' | 'deletion'>;
export type UploadRow = Selectable<Database['multipartUploads']>;
export type PartRow = Selectable<Database['multipartParts']>;

export interface Owned {
  db: Kysely<Database>;
  ownerId: string;
}

/** What is known of an object before its bytes. */
export interface NewObjectUpload extends Omit<ObjectPlace, 'ownerId'> {
  mimeType: string;
  charset: string | null;
  isPublic?: boolean;
  /** What its parts are to have besides. */
  checksum?: Pick<StoredChecksum, 'algorithm' | 'type'> | null;
  metadata?: Record<string, string>;
  tags?: Record<string, string>;
}

/** Begins an upload. */
export async function beginUpload(
  { db, ownerId }: Owned,
  { checksum, metadata, tags, ...upload }: NewObjectUpload,
): Promise<UploadRow> {
  const { rows } = await sql<{ id: string }>`select uuid7() as id`.execute(db);
  const [{ id } = { id: '' }] = rows;
  return db
    .insertInto('multipartUploads')
    .values({
      ...{ ...upload, id, ownerId, objectKey: objectKeyOf(id) },
      checksum: checksum ? JSON.stringify(checksum) : null,
      metadata: JSON.stringify(metadata ?? {}),
      tags: JSON.stringify(tags ?? {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** By its object's key a finished upload is known again. */
export function objectKeyOf(uploadId: string): string {
  return `${FILE_OBJECTS}${uploadId}`;
}

export function uploadOf(db: Kysely<Database>, ownerId: string, id: string) {
  return db.selectFrom('multipartUploads').selectAll().where('ownerId', '=', ownerId).where('id', '=', id);
}

export function noSuchUpload(): Refusal {
  return notFound(
    'NO_SUCH_UPLOAD',
    "There is no such upload. It was finished or given up, or it is somebody else's.",
  );
}

/** Throws 404 NO_SUCH_UPLOAD. */
export async function findUpload({ db, ownerId }: Owned, id: string): Promise<UploadRow> {
  const upload = await uploadOf(db, ownerId, id).executeTakeFirst();
  if (!upload) throw noSuchUpload();
  return upload;
}

/** The parts that have arrived, in order, from the one after `after` on. */
export function listParts(
  db: Kysely<Database>,
  uploadId: string,
  { after = 0, limit = MAX_PARTS } = {},
): Promise<PartRow[]> {
  return db
    .selectFrom('multipartParts')
    .selectAll()
    .where('uploadId', '=', uploadId)
    .where('partNumber', '>', after)
    .orderBy('partNumber')
    .limit(limit)
    .execute();
}

/** A part on its way. */
export interface NewPart {
  partNumber: number;
  /** Its bytes; past `limit` it throws what `refuse` makes. */
  read(limit: number, refuse: () => Error): Bytes;
  /** What was found of its bytes once all are read, where that is known by then: the MD5 is in hex. */
  received?(): { md5: string; checksum: Pick<StoredChecksum, 'algorithm' | 'value'> | null };
}

/**
 * Stores a part, in the place of one of its number. Throws 404 NO_SUCH_UPLOAD, 403 QUOTA_EXCEEDED and 413; either leaves
 * what was there.
 */
export async function addPart(
  { db, ownerId }: Owned,
  { settings, objects, deletion }: MultipartParts,
  id: string,
  { partNumber, read, received }: NewPart,
): Promise<PartRow> {
  const { objectKey } = await findUpload({ db, ownerId }, id);
  const { limit, refuse, ...within } = await boundOf({ db, ownerId }, settings, { id, partNumber });
  const name = `${partNumber}-${randomBytes(6).toString('hex')}`;
  const hash = received ? undefined : createHash('md5');
  const source = whileThereIsRoom(read(limit, refuse), { ownerId, ...within });
  const { size } = await objects.put(pieceKey(objectKey, name), hash ? hashed(source, hash) : source);
  const { md5: etag, checksum } = received?.() ?? { md5: hash?.digest('hex') ?? '', checksum: null };
  try {
    return await withinQuota({ db, settings }, ownerId, async (trx) => {
      const upload = await uploadOf(trx, ownerId, id).forUpdate().executeTakeFirst();
      if (!upload) throw noSuchUpload();
      const former = await trx
        .deleteFrom('multipartParts')
        .where('uploadId', '=', id)
        .where('partNumber', '=', partNumber)
        .returning('name')
        .execute();
      await deleteBytes(trx, deletion, { objectKey, pieces: former });
      await trx
        .updateTable('multipartUploads')
        .set({ touchedAt: sql<string>`clock_timestamp()` })
        .where('id', '=', id)
        .execute();
      return trx
        .insertInto('multipartParts')
        .values({
          ...{ uploadId: id, partNumber, ownerId, name, fileSize: size, etag },
          checksum: checksum ? JSON.stringify(checksum) : null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  } catch (error) {
    // After a refusal no row can come any more; after another failure one may, so that is left to the sweep.
    if (error instanceof Refusal) await objects.delete(pieceKey(objectKey, name));
    throw error;
  }
}

async function* hashed(source: Bytes, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

/** How many bytes of a part are read: the one that it takes the place of makes room. */
async function boundOf(
  { db, ownerId }: Owned,
  settings: MultipartParts['settings'],
  { id, partNumber }: { id: string; partNumber: number },
): Promise<{ limit: number; refuse: () => Refusal; quota: StorageQuota; spare: number }> {
  const former = await db
    .selectFrom('multipartParts')
    .select('fileSize')
    .where('uploadId', '=', id)
    .where('partNumber', '=', partNumber)
    .executeTakeFirst();
  const quota = await readQuota({ db, settings }, ownerId);
  const spare = former?.fileSize ?? 0;
  const room = roomOf(quota) + spare;
  if (room < MAX_PART_BYTES) return { limit: room, refuse: () => quotaExceeded(quota), quota, spare };
  const refuse = () => tooLarge('FILE_TOO_LARGE', 'A part can have up to 5 GiB.');
  return { limit: MAX_PART_BYTES, refuse, quota, spare };
}

/** Ends an upload, and deletes the parts that nothing is made of. */
export async function endUpload(
  trx: Kysely<Database>,
  deletion: MultipartParts['deletion'],
  { id, objectKey }: Pick<UploadRow, 'id' | 'objectKey'>,
  unused: readonly Pick<PartRow, 'name'>[],
): Promise<void> {
  await trx.deleteFrom('multipartUploads').where('id', '=', id).execute();
  await deleteBytes(trx, deletion, { objectKey, pieces: unused });
}

/** Gives an upload up, with what has arrived. Throws 404 NO_SUCH_UPLOAD. */
export function abortUpload(
  { db, ownerId }: Owned,
  { deletion }: Pick<MultipartParts, 'deletion'>,
  id: string,
): Promise<void> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    const upload = await uploadOf(trx, ownerId, id).forUpdate().executeTakeFirst();
    if (!upload) throw noSuchUpload();
    await endUpload(trx, deletion, upload, await listParts(trx, id));
  });
}

function uploadsIn(db: Kysely<Database>) {
  return db.selectFrom('multipartUploads').select(['id', 'ownerId']);
}

/** Gives up uploads whose last part came seven days ago. */
export function sweepUploads(db: Kysely<Database>, parts: Pick<MultipartParts, 'deletion'>): Promise<void> {
  return abortUploads(db, parts, (uploads) =>
    uploads
      .where('touchedAt', '<', sql<string>`now() - make_interval(days => ${STALE_DAYS})`)
      .orderBy('touchedAt'),
  );
}

/** Gives up all of some uploads. */
export async function abortUploads(
  db: Kysely<Database>,
  parts: Pick<MultipartParts, 'deletion'>,
  those: (uploads: ReturnType<typeof uploadsIn>) => ReturnType<typeof uploadsIn>,
): Promise<void> {
  for (;;) {
    const some = await those(uploadsIn(db)).limit(SWEPT_AT_ONCE).execute();
    for (const { id, ownerId } of some) {
      try {
        await abortUpload({ db, ownerId }, parts, id);
      } catch (error) {
        // Another replica was faster, or its owner finished it.
        if (!(error instanceof Refusal)) throw error;
      }
    }
    if (some.length < SWEPT_AT_ONCE) return;
  }
}
