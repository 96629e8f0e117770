import { atomically, type Database } from '@nephos/db';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { lockAccount } from '../../../platform/account-lock.ts';
import { isOld, oldObjects } from '../../../platform/object-store/old-objects.ts';
import type { Platform } from '../../../platform/platform.ts';
import { lockBlob } from './blob-store.ts';
import { BLOB_OBJECTS, digestOfKey } from './digest.ts';

/** Longer than a push takes, from its first blob or manifest to the manifest or tag that names it. */
export const PUSH_TIME = sql`interval '24 hours'`;

/** A link that no manifest of its repository needs, and that nobody has asked for lately. */
function isForgotten(where: ExpressionBuilder<Database, 'containerBlobLinks'>) {
  return where.and([
    where('containerBlobLinks.askedAt', '<', sql<string>`now() - ${PUSH_TIME}`),
    where.not(
      where.exists(
        where
          .selectFrom('containerReferences as reference')
          .select('reference.manifest')
          .whereRef('reference.repositoryId', '=', 'containerBlobLinks.repositoryId')
          .whereRef('reference.digest', '=', 'containerBlobLinks.digest')
          .where('reference.kind', '=', 'blob'),
      ),
    ),
  ]);
}

/** Takes blobs out of repositories where no manifest has named them and nobody has asked for them for a day. */
export async function sweepLinks(db: Kysely<Database>): Promise<void> {
  const repositories = await db
    .selectFrom('containerRepositories')
    .select(['containerRepositories.id', 'containerRepositories.ownerId'])
    .where('containerRepositories.id', 'in', ({ selectFrom }) =>
      selectFrom('containerBlobLinks').select('containerBlobLinks.repositoryId').where(isForgotten),
    )
    .execute();
  for (const { id, ownerId } of repositories) {
    await atomically(db, async (trx) => {
      // A manifest is accepted under this lock: each is either counted by the next statement, or finds the blob gone.
      await lockAccount(trx, ownerId);
      await trx.deleteFrom('containerBlobLinks').where('repositoryId', '=', id).where(isForgotten).execute();
    });
  }
}

/** Deletes the bytes of blobs that no repository has, and of those that were stored and never linked. */
export async function sweepBlobs(deps: Pick<Platform, 'db' | 'objects'>): Promise<void> {
  for await (const keys of oldObjects(deps.objects, BLOB_OBJECTS)) {
    const blobs = keys.map((key) => ({ key, digest: digestOfKey(key) }));
    const linked = await readLinked(
      deps.db,
      blobs.flatMap(({ digest }) => digest ?? []),
    );
    for (const { key, digest } of blobs) {
      if (digest !== undefined && !linked.has(digest)) await deleteBlob(deps, { key, digest });
    }
  }
}

async function readLinked(db: Kysely<Database>, digests: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('containerBlobLinks')
    .select('digest')
    .where('digest', '=', sql<string>`any(${digests}::text[])`)
    .execute();
  return new Set(rows.map(({ digest }) => digest));
}

/** Deletes a blob unless it was linked or stored once more meanwhile. */
async function deleteBlob(
  { db, objects }: Pick<Platform, 'db' | 'objects'>,
  { key, digest }: { key: string; digest: string },
): Promise<void> {
  await atomically(db, async (trx) => {
    await lockBlob(trx, digest);
    if ((await readLinked(trx, [digest])).size > 0) return;
    const object = await objects.stat(key);
    if (object && !isOld(object)) return;
    await trx.deleteFrom('containerBlobs').where('digest', '=', digest).execute();
    // The lock is still held. The row that a crash after this leaves has no link, so nobody sees it.
    await objects.delete(key);
  });
}
