import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { withinQuota } from '../../billing/storage-quota.ts';
import { ensureRepository, type Repository } from '../repositories.ts';

/** A blob in a repository. */
export interface LinkedBlob {
  digest: string;
  /** Bytes. */
  size: number;
}

/** The blob, if it can be seen in the repository: that the store has it for another one does not count. */
export function findBlob(
  db: Kysely<Database>,
  repositoryId: string,
  digest: string,
): Promise<LinkedBlob | undefined> {
  return db
    .selectFrom('containerBlobLinks as link')
    .innerJoin('containerBlobs as blob', 'blob.digest', 'link.digest')
    .select(['blob.digest', 'blob.size'])
    .where('link.repositoryId', '=', repositoryId)
    .where('link.digest', '=', digest)
    .executeTakeFirst();
}

/**
 * Makes a stored blob visible in the owner's repository, which it makes where there is none. Throws 403 QUOTA_EXCEEDED.
 */
export async function linkBlob(
  db: Kysely<Database>,
  owned: Pick<Repository, 'ownerId' | 'name'>,
  { digest, size }: LinkedBlob,
): Promise<void> {
  await withinQuota(db, owned.ownerId, async (trx) => {
    const { id: repositoryId } = await ensureRepository(trx, owned);
    await trx
      .insertInto('containerBlobs')
      .values({ digest, size })
      .onConflict((conflicting) => conflicting.doNothing())
      .execute();
    await trx
      .insertInto('containerBlobLinks')
      .values({ repositoryId, digest })
      .onConflict((conflicting) => conflicting.doNothing())
      .execute();
  });
}

/** Takes a blob out of a repository; false when it was not there. */
export async function unlinkBlob(
  db: Kysely<Database>,
  repositoryId: string,
  digest: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('containerBlobLinks')
    .where('repositoryId', '=', repositoryId)
    .where('digest', '=', digest)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
