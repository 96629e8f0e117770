import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { DigestAlgorithm } from '../../../platform/object-store/object-store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { quotaExceeded, readQuota } from '../../plans/storage-quota.ts';
import { denied } from './registry-error.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Longer than the object store keeps the bytes of an upload that nobody goes on with. */
const KEPT_HOURS = 25;
/** Uploads that one account can have open: enough for a hundred pushes at once. */
const UPLOADS_MAX = 500;

interface Upload {
  id: string;
  ownerId: string;
  /** Name of the repository it will belong to. */
  repository: string;
}

/** Throws DENIED where the owner has too many already; of those that begin at the same moment a few more may pass. */
export async function beginUpload(
  { db, objects }: Pick<Platform, 'db' | 'objects'>,
  { algorithm, ...upload }: Omit<Upload, 'id'> & { algorithm: DigestAlgorithm },
): Promise<string> {
  const { open } = await db
    .selectFrom('containerUploads')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('ownerId', '=', upload.ownerId)
    .executeTakeFirstOrThrow();
  if (open >= UPLOADS_MAX) {
    throw denied(
      `You have ${open} unfinished uploads; the limit is ${UPLOADS_MAX}. Finish or cancel some, or wait: they expire after a day.`,
    );
  }
  const id = await objects.uploads.begin(algorithm);
  await db
    .insertInto('containerUploads')
    .values({ id, ...upload })
    .execute();
  return id;
}

/** Whether this upload is the owner's, and for that repository. */
export async function findUpload(
  db: Kysely<Database>,
  { id, ownerId, repository }: Upload,
): Promise<boolean> {
  if (!ID.test(id)) return false;
  const row = await db
    .selectFrom('containerUploads')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('repository', '=', repository)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Counts an upload as `most` bytes against its owner's quota, or as many as there is room for, and resolves to them.
 * Throws 403 QUOTA_EXCEEDED where that is less than `least`. Under the account's lock, so that parts of many uploads at
 * the same time share what room there is.
 */
export async function reserveSpace(
  of: Pick<Platform, 'db' | 'settings'>,
  { id, ownerId }: Pick<Upload, 'id' | 'ownerId'>,
  { least, most }: { least: number; most: number },
): Promise<number> {
  const quota = await readQuota(of, ownerId);
  // What is deleted makes way once the upload is an image.
  const holds = Math.min(quota.plan.storage + quota.trash, Number.MAX_SAFE_INTEGER);
  const { rows } = await sql<{ reserved: number | null }>`
    select reserve_upload(${id}, ${ownerId}, ${least}, ${most}, ${holds}) as reserved`.execute(of.db);
  const reserved = rows[0]?.reserved;
  if (typeof reserved !== 'number') throw quotaExceeded(quota);
  return reserved;
}

/** Writes down how many bytes an upload has: no more than were reserved. */
export async function setSize(db: Kysely<Database>, id: string, size: number): Promise<void> {
  await db
    .updateTable('containerUploads')
    .set({ size, touchedAt: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

export async function forgetUpload(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('containerUploads').where('id', '=', id).execute();
}

/** Forgets the uploads that nobody has gone on with, after their bytes are gone. */
export async function sweepUploads(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('containerUploads')
    .where('touchedAt', '<', sql<string>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute();
}
