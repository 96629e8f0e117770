import { createHash } from 'node:crypto';
import { MAX_OBJECT_BYTES } from '@nephos/contracts/constants';
import type { Database, Pieces } from '@nephos/db';
import type { Kysely } from 'kysely';
import { Refusal, tooLarge } from '../../core/errors.ts';
import { withinQuota } from '../plans/storage-quota.ts';
import {
  endUpload,
  listParts,
  type MultipartParts,
  noSuchUpload,
  type Owned,
  objectKeyOf,
  type PartRow,
  type UploadRow,
  uploadOf,
} from './multipart.ts';
import type { FileRow } from './service.ts';
import type { NewContent, VersionRow } from './versions.ts';

/** Bytes of each part but the last, at least: S3's bound. */
const MIN_PART_BYTES = 5 * 1024 * 1024;

/** A part as whoever finishes an upload names it. */
export interface NamedPart {
  partNumber: number;
  /** Without quotes. */
  etag: string;
}

/** An upload's bytes as a whole. */
export interface Assembled {
  upload: UploadRow;
  parts: readonly PartRow[];
  content: NewContent;
}

export type Placed = FileRow | VersionRow;

/**
 * Makes an object of an upload's parts, without copying them: `place` puts it where it goes, in the transaction in which
 * the upload ends. Finished again with the same parts it answers what it has become, as long as that is there. Throws
 * 404 NO_SUCH_UPLOAD, 400 INVALID_PART, INVALID_PART_ORDER and PART_TOO_SMALL, and what `place` throws.
 */
export async function completeUpload(
  { db, ownerId }: Owned,
  { settings, deletion }: MultipartParts,
  {
    id,
    named,
  }: { id: string /** Absent: all parts, from the first on without a gap. */; named?: readonly NamedPart[] },
  place: (trx: Kysely<Database>, assembled: Assembled) => Promise<FileRow>,
): Promise<Placed> {
  if (
    named &&
    !named.every(({ partNumber }, at) => at === 0 || partNumber > (named[at - 1]?.partNumber ?? 0))
  ) {
    throw invalidPart('INVALID_PART_ORDER', 'Parts have to be named in ascending order.');
  }
  return withinQuota({ db, settings }, ownerId, async (trx) => {
    const upload = await uploadOf(trx, ownerId, id).forUpdate().executeTakeFirst();
    if (!upload) return finishedBefore(trx, ownerId, { id, named });
    const arrived = await listParts(trx, id);
    const parts = named ? partsNamed(arrived, named) : withoutGap(arrived);
    const content = assemble(upload, parts);
    const used = new Set(parts.map(({ name }) => name));
    await endUpload(
      trx,
      deletion,
      upload,
      arrived.filter(({ name }) => !used.has(name)),
    );
    return place(trx, { upload, parts, content });
  });
}

function invalidPart(reason: string, message: string): Refusal {
  return new Refusal({ code: 'BAD_REQUEST', reason, message });
}

function partsNamed(arrived: readonly PartRow[], named: readonly NamedPart[]): PartRow[] {
  const byNumber = new Map(arrived.map((part) => [part.partNumber, part]));
  return named.map(({ partNumber, etag }) => {
    const part = byNumber.get(partNumber);
    if (part?.etag !== etag) {
      throw invalidPart('INVALID_PART', `Part ${partNumber} has not arrived, or has another ETag.`);
    }
    return part;
  });
}

function withoutGap(arrived: readonly PartRow[]): readonly PartRow[] {
  const gap = arrived.findIndex(({ partNumber }, at) => partNumber !== at + 1);
  if (gap !== -1) throw invalidPart('INVALID_PART', `Part ${gap + 1} has not arrived.`);
  return arrived;
}

function assemble(
  { mimeType, charset, objectKey, metadata, tags }: UploadRow,
  parts: readonly PartRow[],
): NewContent {
  const small = parts.slice(0, -1).find(({ fileSize }) => fileSize < MIN_PART_BYTES);
  if (small)
    throw invalidPart('PART_TOO_SMALL', `Part ${small.partNumber} has less than 5 MiB, and is not the last.`);
  if (parts.length === 0) throw invalidPart('INVALID_PART', 'No part has arrived.');
  const fileSize = parts.reduce((sum, part) => sum + part.fileSize, 0);
  if (fileSize > MAX_OBJECT_BYTES) throw tooLarge('FILE_TOO_LARGE', 'A file can have up to 5 TiB.');
  const pieces: Pieces = parts.map((part) => ({ name: part.name, size: part.fileSize }));
  return {
    mimeType,
    charset,
    objectKey,
    metadata,
    tags,
    pieces,
    fileSize,
    sha256: null,
    etag: etagOf(parts),
  };
}

/** S3's ETag of an object in parts: the MD5 of their MD5s, and how many they are. */
function etagOf(parts: readonly Pick<NamedPart, 'etag'>[]): string {
  const md5 = createHash('md5');
  for (const { etag } of parts) md5.update(etag, 'hex');
  return `${md5.digest('hex')}-${parts.length}`;
}

/** What an upload has become that is there no more. */
async function finishedBefore(
  trx: Kysely<Database>,
  ownerId: string,
  { id, named }: { id: string; named?: readonly NamedPart[] | undefined },
): Promise<Placed> {
  const of = { ownerId, objectKey: objectKeyOf(id) };
  const current = await trx
    .selectFrom('storedFiles')
    .selectAll()
    .where('ownerId', '=', of.ownerId)
    .where('objectKey', '=', of.objectKey)
    .executeTakeFirst();
  const placed =
    current ??
    (await trx
      .selectFrom('fileVersions')
      .selectAll()
      .where('ownerId', '=', of.ownerId)
      .where('objectKey', '=', of.objectKey)
      .executeTakeFirst());
  if (!placed || (named && placed.etag !== etagOf(named))) throw noSuchUpload();
  return placed;
}
