import type { Bucket, BucketDetail, buckets } from '@nephos/contracts';
import { MAX_BUCKETS, STORAGE_REGION, UPLOADS_BUCKET } from '@nephos/contracts/constants';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { lockAccount } from '../../platform/account-lock.ts';

const SHOWN = ['id', 'name', 'isPublic', 'versioning', 'createdAt'] as const;

type NewBucket = z.output<typeof buckets.create.input>;
type BucketChange = z.output<typeof buckets.update.input>;

/** The id of the bucket that a workspace has for the console's files, which is made at its first use. */
export async function uploadsBucket(db: Kysely<Database>, ownerId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select uploads_bucket(${ownerId}) as id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a function of the database gave no row');
  return row.id;
}

/** By name; the console's is among them from the first time on that somebody asks. */
export async function listBuckets({ db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>): Promise<Bucket[]> {
  await uploadsBucket(db, ownerId);
  return db.selectFrom('buckets').select(SHOWN).where('ownerId', '=', ownerId).orderBy('name').execute();
}

/** Throws 404. */
export async function findBucket(
  { db, ownerId }: UserContext,
  settings: Settings,
  id: string,
): Promise<BucketDetail> {
  const bucket = await ownBucket(db, ownerId, id).executeTakeFirst();
  if (!bucket) throw notFound();
  const { publicUrl } = settings;
  return {
    ...bucket,
    ...(await contentsOf(db, id)),
    endpoint: publicUrl.origin,
    region: STORAGE_REGION,
    publicUrl: bucket.isPublic ? `${publicUrl.protocol}//s3.${publicUrl.host}/${bucket.name}/` : null,
  };
}

async function contentsOf(db: Kysely<Database>, id: string): Promise<{ files: number; size: number }> {
  const { rows } = await sql<{ files: number; size: number }>`
    select files, (current + former + arriving)::bigint as size
    from (
      select count(*)::int as files, coalesce(sum(file_size), 0) as current from stored_files where bucket_id = ${id}
    ) f, (
      select coalesce(sum(file_size), 0) as former from file_versions where bucket_id = ${id}
    ) v, (
      select coalesce(sum(p.file_size), 0) as arriving
      from multipart_uploads u join multipart_parts p on p.upload_id = u.id where u.bucket_id = ${id}
    ) p`.execute(db);
  return rows[0] ?? { files: 0, size: 0 };
}

/** Throws 409 BUCKET_EXISTS, with its id where it is the workspace's own, and LIMIT. */
export function createBucket(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  { name, isPublic, versioning }: NewBucket,
): Promise<Bucket> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    await uploadsBucket(trx, ownerId);
    const own = await trx
      .selectFrom('buckets')
      .select(['id', 'name'])
      .where('ownerId', '=', ownerId)
      .execute();
    const same = own.find((bucket) => bucket.name === name);
    if (same) throw conflict('BUCKET_EXISTS', `You already have a bucket named ${name}.`, same.id);
    if (own.length >= MAX_BUCKETS) {
      throw conflict('LIMIT', `A workspace can have up to ${MAX_BUCKETS} buckets. Delete one first.`);
    }
    const made = await trx
      .insertInto('buckets')
      .values({ ownerId, name, isPublic, versioning: versioning ? 'enabled' : 'off' })
      .onConflict((taken) => taken.doNothing())
      .returning(SHOWN)
      .executeTakeFirst();
    if (!made)
      throw conflict('BUCKET_EXISTS', `The name ${name} is taken. Bucket names are unique on this server.`);
    return made;
  });
}

/** Throws 404, and 409 UPLOADS_PRIVATE: the console's files have addresses of their own, one by one. */
export function updateBucket(
  { db, ownerId, audit }: Pick<UserContext, 'db' | 'ownerId' | 'audit'>,
  change: BucketChange,
): Promise<Bucket> {
  return atomically(db, async (trx) => {
    const bucket = await ownBucket(trx, ownerId, change.id).forUpdate().executeTakeFirst();
    if (!bucket) throw notFound();
    const isPublic = change.isPublic ?? bucket.isPublic;
    if (isPublic && bucket.name === UPLOADS_BUCKET) {
      throw conflict(
        'UPLOADS_PRIVATE',
        `${UPLOADS_BUCKET} cannot be public. Make single files public, or use another bucket.`,
      );
    }
    const versioning = versioningOf(bucket.versioning, change.versioning);
    const { versioning: former, isPublic: wasPublic } = bucket;
    audit.note({
      subject: { name: bucket.name },
      before: { isPublic: wasPublic, versioning: former },
      after: { isPublic, versioning },
    });
    return trx
      .updateTable('buckets')
      .set({ isPublic, versioning })
      .where('ownerId', '=', ownerId)
      .where('id', '=', change.id)
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
  });
}

/** What was kept once has its versions, so it is never off again. */
function versioningOf(former: Bucket['versioning'], wanted: boolean | undefined): Bucket['versioning'] {
  if (wanted === undefined) return former;
  if (wanted) return 'enabled';
  return former === 'off' ? 'off' : 'suspended';
}

/** Throws 404, and 409 BUCKET_NOT_EMPTY or UPLOADS_STAYS. */
export function removeBucket(
  { db, ownerId, audit }: Pick<UserContext, 'db' | 'ownerId' | 'audit'>,
  id: string,
): Promise<{ success: true }> {
  return atomically(db, async (trx) => {
    // The lock that whoever adds a file to it takes as well, by the reference of its row.
    const bucket = await ownBucket(trx, ownerId, id).forUpdate().executeTakeFirst();
    if (!bucket) throw notFound();
    if (bucket.name === UPLOADS_BUCKET) {
      throw conflict('UPLOADS_STAYS', `${UPLOADS_BUCKET} is the console's own bucket and cannot be deleted.`);
    }
    const { rows } = await sql<{ isEmpty: boolean }>`
      select not (
        exists (select from stored_files where bucket_id = ${id}) or exists (select from file_versions where bucket_id = ${id})
      ) as is_empty`.execute(trx);
    if (!rows[0]?.isEmpty) {
      throw conflict(
        'BUCKET_NOT_EMPTY',
        `${bucket.name} is not empty. Delete its files, their former versions and its trash first.`,
      );
    }
    audit.note({ subject: { name: bucket.name } });
    await trx.deleteFrom('buckets').where('ownerId', '=', ownerId).where('id', '=', id).execute();
    return { success: true };
  });
}

/** Locks the bucket's row, so that two changes of one bucket follow each other. Throws 404. */
export async function lockBucket(trx: Kysely<Database>, ownerId: string, id: string) {
  const bucket = await ownBucket(trx, ownerId, id).select('site').forNoKeyUpdate().executeTakeFirst();
  if (!bucket) throw notFound();
  return bucket;
}

function ownBucket(db: Kysely<Database>, ownerId: string, id: string) {
  return db.selectFrom('buckets').select(SHOWN).where('ownerId', '=', ownerId).where('id', '=', id);
}
