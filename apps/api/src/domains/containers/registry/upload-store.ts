import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Deps } from '../../../context.ts';
import type { DigestAlgorithm } from '../../../platform/object-store/object-store.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Longer than the object store keeps the bytes of an upload that nobody goes on with. */
const KEPT_DAYS = 7;

interface Upload {
  id: string;
  ownerId: string;
  /** Name of the repository it will belong to. */
  repository: string;
}

export async function beginUpload(
  { db, objects }: Pick<Deps, 'db' | 'objects'>,
  { algorithm, ...upload }: Omit<Upload, 'id'> & { algorithm: DigestAlgorithm },
): Promise<string> {
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

export async function forgetUpload(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('containerUploads').where('id', '=', id).execute();
}

/** Forgets whose the uploads were that nobody finished. */
export async function sweepUploads(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('containerUploads')
    .where('createdAt', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}
