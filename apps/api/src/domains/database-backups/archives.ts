import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';

/** The archive of a database, made where there is none yet. */
export async function archiveOf(
  trx: Kysely<Database>,
  { ownerId, databaseId }: { ownerId: string; databaseId: string },
): Promise<string> {
  // Of two at once, one makes it.
  await trx.selectFrom('managedDatabases').where('id', '=', databaseId).forNoKeyUpdate().execute();
  const found = await findArchive(trx, databaseId);
  if (found) return found.id;
  const { id } = await trx
    .insertInto('databaseArchives')
    .values({ ownerId, databaseId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whether nothing is being done with a database, nor begins until the transaction ends. */
export async function isFree(trx: Kysely<Database>, databaseId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('managedDatabases')
    .select('work')
    .where('id', '=', databaseId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.work === null;
}

export function findArchive(db: Kysely<Database>, databaseId: string) {
  return db
    .selectFrom('databaseArchives')
    .select([
      ...(['id', 'size', 'behindSince'] as const),
      ...(['provingSince', 'proofAt', 'proofSucceeded', 'proofDetail'] as const),
    ])
    .where('databaseId', '=', databaseId)
    .executeTakeFirst();
}
