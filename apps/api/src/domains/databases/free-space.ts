import type { ManagedDatabase } from '@nephos/contracts';
import { FREEING_MINUTES } from '@nephos/contracts/constants';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { findDatabase } from './read.ts';
import type { DatabaseWork } from './work.ts';

/** Lets a full database be written for a while, to delete from it. Throws 404, and 409 NOT_FULL. */
export async function freeSpace(
  { db, ownerId, audit }: UserContext,
  work: Pick<DatabaseWork, 'settings'>,
  id: string,
): Promise<ManagedDatabase> {
  return atomically(db, async (trx) => {
    const row = await trx
      .selectFrom('managedDatabases')
      .select(['id', 'type', 'engineName', 'name', 'storageState'])
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!row) throw notFound();
    if (row.storageState !== 'full' && row.storageState !== 'closed') {
      throw conflict('NOT_FULL', 'This database is not full.');
    }
    await trx
      .updateTable('managedDatabases')
      .set({ freeingUntil: sql<string>`now() + make_interval(mins => ${FREEING_MINUTES})` })
      .where('id', '=', id)
      .execute();
    audit.note({ subject: { name: row.name } });
    await work.settings(trx, row);
    return findDatabase(trx, ownerId, id);
  });
}
