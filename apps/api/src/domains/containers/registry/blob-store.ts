import { atomically, type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { lockAccount } from '../../../platform/account-lock.ts';
import type { Platform } from '../../../platform/platform.ts';
import { withinQuota } from '../../plans/storage-quota.ts';
import { readNeeded, remedyOf, whyKept } from '../needed.ts';
import { blobKey, parseDigest } from './digest.ts';
import { denied } from './registry-error.ts';
import { ensureRepository, type Repository } from './repositories.ts';
import { forgetUpload } from './upload-store.ts';

/** A blob in a repository. */
export interface LinkedBlob {
  digest: string;
  /** Bytes. */
  size: number;
}

/** A link's instant is written anew at most this often; far below the time that the sweep gives it. */
const ASKED_EVERY = sql`interval '1 hour'`;

type Link = { repositoryId: string; digest: string };

const linkedBlob = prepare((db, parameter: Parameter<Link>) =>
  db
    .selectFrom('containerBlobLinks as link')
    .innerJoin('containerBlobs as blob', 'blob.digest', 'link.digest')
    .select(['blob.digest', 'blob.size'])
    .select(sql<boolean>`link.asked_at < now() - ${ASKED_EVERY}`.as('isStale'))
    .where('link.repositoryId', '=', parameter('repositoryId'))
    .where('link.digest', '=', parameter('digest'))
    .compile(),
);

/**
 * The blob, if it can be seen in the repository: that the store has it for another one does not count. Who asks may be
 * about to push a manifest that names it, so from here on the sweep leaves it for a day.
 */
export async function findBlob(
  db: Kysely<Database>,
  repositoryId: string,
  digest: string,
): Promise<LinkedBlob | undefined> {
  const [found] = await linkedBlob(db, { repositoryId, digest });
  if (!found) return undefined;
  const { isStale, ...blob } = found;
  // Where there is nothing to renew any more, the sweep was faster.
  if (isStale && !(await renewLink(db, repositoryId, digest))) return undefined;
  return blob;
}

async function renewLink(db: Kysely<Database>, repositoryId: string, digest: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('containerBlobLinks')
    .set({ askedAt: sql<string>`now()` })
    .where('repositoryId', '=', repositoryId)
    .where('digest', '=', digest)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Holds a blob, whether it is there or not, until the transaction ends: between looking for its bytes and linking them
 * nobody may delete them, and the other way round.
 */
export async function lockBlob(trx: Kysely<Database>, digest: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`blob ${digest}`}, 0))`.execute(trx);
}

const insertBlob = prepare(
  (db, parameter: Parameter<{ digest: string; size: string }>) =>
    db
      .insertInto('containerBlobs')
      .values({ digest: parameter('digest'), size: sql`${parameter('size')}::bigint` })
      .onConflict((conflicting) => conflicting.doNothing())
      .compile(),
  { unread: true },
);

const insertLink = prepare(
  (db, parameter: Parameter<Link>) =>
    db
      .insertInto('containerBlobLinks')
      .values({ repositoryId: parameter('repositoryId'), digest: parameter('digest') })
      .onConflict((conflicting) =>
        conflicting
          .columns(['repositoryId', 'digest'])
          .doUpdateSet({ askedAt: sql<string>`now()` })
          .where('containerBlobLinks.askedAt', '<', sql<string>`now() - ${ASKED_EVERY}`),
      )
      .compile(),
  { unread: true },
);

/**
 * Makes a stored blob visible in the owner's repository, which it makes where there is none. False where the store does
 * not have its bytes any more, since they were swept between storing or finding them and this. Throws 403
 * QUOTA_EXCEEDED. The upload that it came by is forgotten with that.
 */
export async function linkBlob(
  { db, settings, objects }: Pick<Platform, 'db' | 'settings' | 'objects'>,
  owned: Pick<Repository, 'ownerId' | 'name'>,
  { digest, size }: LinkedBlob,
  uploadId?: string,
): Promise<boolean> {
  const expected = parseDigest(digest);
  return withinQuota({ db, settings }, owned.ownerId, async (trx) => {
    await lockBlob(trx, digest);
    if (!expected || !(await objects.stat(blobKey(expected)))) return false;
    const { id: repositoryId } = await ensureRepository(trx, owned);
    await insertBlob(trx, { digest, size: String(size) });
    await insertLink(trx, { repositoryId, digest });
    if (uploadId !== undefined) await forgetUpload(trx, uploadId);
    return true;
  });
}

/** Takes a blob out of a repository; false when it was not there. Throws DENIED where a project needs its image. */
export function unlinkBlob(
  { db, settings }: Pick<Platform, 'db' | 'settings'>,
  { id: repositoryId, ownerId }: Repository,
  digest: string,
): Promise<boolean> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    const needed = await readNeeded(trx, settings, repositoryId);
    const manifests = await trx
      .selectFrom('containerReferences')
      .select('manifest')
      .where('repositoryId', '=', repositoryId)
      .where('digest', '=', digest)
      .where('kind', '=', 'blob')
      .execute();
    const kept = whyKept(
      needed,
      manifests.map(({ manifest }) => manifest),
    );
    if (kept) throw denied(remedyOf(kept));
    const { numDeletedRows } = await trx
      .deleteFrom('containerBlobLinks')
      .where('repositoryId', '=', repositoryId)
      .where('digest', '=', digest)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}
