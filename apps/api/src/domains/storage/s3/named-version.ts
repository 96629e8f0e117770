import type { Database } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { findVersion } from '../object-versions.ts';
import type { FileRow } from '../service.ts';
import { latestVersion, type ObjectPlace, objectAt, type VersionRow } from '../versions.ts';
import type { BucketRow } from './s3-call.ts';
import { badArgument, S3Error } from './s3-error.ts';

const UUID = z.uuid();

/** A version as an address names it: null for the one without an id; undefined where none is named. */
export function versionIn(name: string | null): string | null | undefined {
  if (name === null) return undefined;
  if (name === 'null') return null;
  if (UUID.safeParse(name).success) return name.toLowerCase();
  throw badArgument('versionId', 'There is no such version.');
}

/** A version's id as it is named to clients. */
export function versionName(versionId: string | null): string {
  return versionId ?? 'null';
}

/** Says which version is meant, where a bucket keeps them. */
export function setVersion(
  reply: FastifyReply,
  { versioning }: Pick<BucketRow, 'versioning'>,
  { versionId }: { versionId: string | null },
): void {
  if (versioning !== 'off') reply.header('x-amz-version-id', versionName(versionId));
}

/** A former version that has bytes. */
type FormerRow = VersionRow & { objectKey: string };

const MARKER = { 'x-amz-delete-marker': 'true' };

/** The row of an object, or of the version of it that is named; undefined where there is none. Throws for a delete marker. */
export async function findVersionRow(
  db: Kysely<Database>,
  place: ObjectPlace,
  versionId: string | null | undefined,
): Promise<FileRow | FormerRow | undefined> {
  if (versionId === undefined) return objectAt(db, place).executeTakeFirst();
  const found = await findVersion(db, place, versionId);
  if (!found || !('isDeleteMarker' in found)) return found;
  const { objectKey } = found;
  if (objectKey !== null) return { ...found, objectKey };
  const headers = { ...MARKER, 'x-amz-version-id': versionName(versionId), allow: 'DELETE' };
  throw new S3Error('MethodNotAllowed', {
    message: 'This version says that the object was deleted.',
    headers,
  });
}

/** Whether the version that was named turned out to be a delete marker. */
export function isMarker(error: unknown): boolean {
  return error instanceof S3Error && error.code === 'MethodNotAllowed';
}

/** The same as a file that can be read: a former version has the id of the file that it was of. */
export async function findObject(
  db: Kysely<Database>,
  place: ObjectPlace,
  versionId: string | null | undefined,
): Promise<FileRow | undefined> {
  const found = await findVersionRow(db, place, versionId);
  if (!found || !('isDeleteMarker' in found)) return found;
  return { ...found, id: found.fileId, shareNonce: 0 };
}

/** What is said of an object that is not there: whether it was deleted. */
export async function missing(
  db: Kysely<Database>,
  place: ObjectPlace,
  versionId: string | null | undefined,
): Promise<S3Error> {
  const more = { Key: place.key };
  if (versionId !== undefined) return new S3Error('NoSuchVersion', { more });
  const latest = await latestVersion(db, place).executeTakeFirst();
  const headers = latest?.isDeleteMarker
    ? { ...MARKER, 'x-amz-version-id': versionName(latest.versionId) }
    : {};
  return new S3Error('NoSuchKey', { more, headers });
}
