import type { ManagedDatabase } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { findDatabase } from './read.ts';

type Work = NonNullable<ManagedDatabase['work']>;

/** Somebody asked to end the work. */
export class WorkCancelled extends Error {
  override readonly name = 'WorkCancelled';
}

const DOING: Record<Work, string> = {
  restoring: 'being restored',
  swapping: 'being swapped',
  importing: 'being imported into',
  moving: 'being moved',
};

/** Marks a database as worked on. Throws 404, and 409 BUSY while something else is being done with it. */
export async function beginWork(
  trx: Kysely<Database>,
  { ownerId, id, work }: { ownerId: string; id: string; work: Work },
): Promise<void> {
  const row = await trx
    .selectFrom('managedDatabases')
    .select('work')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  if (row.work) throw conflict('BUSY', `This database is ${DOING[row.work]}. Wait for that, or cancel it.`);
  await trx
    .updateTable('managedDatabases')
    .set({ work, workPercent: null, workError: '', workCancelled: false })
    .where('id', '=', id)
    .execute();
}

/** Tells how far the work is. Throws `WorkCancelled` once somebody asked to end it, or the database is gone. */
export async function tellProgress(db: Kysely<Database>, id: string, percent: number | null): Promise<void> {
  const row = await db
    .selectFrom('managedDatabases')
    .select(['workCancelled', 'workPercent'])
    .where('id', '=', id)
    .where('work', 'is not', null)
    .executeTakeFirst();
  if (!row || row.workCancelled) throw new WorkCancelled();
  // Each writing is told to everybody who looks.
  if (row.workPercent === percent) return;
  await db
    .updateTable('managedDatabases')
    .set({ workPercent: percent })
    .where('id', '=', id)
    .where('work', 'is not', null)
    .execute();
}

/** The work is over, however it ended. */
export async function endWork(trx: Kysely<Database>, id: string): Promise<void> {
  await trx
    .updateTable('managedDatabases')
    .set({ work: null, workPercent: null, workError: '', workCancelled: false })
    .where('id', '=', id)
    .execute();
}

/** Asks to end what is being done with a database. Throws 404, and 409 NOT_BUSY. */
export async function cancelWork({ db, ownerId, audit }: UserContext, id: string): Promise<ManagedDatabase> {
  return atomically(db, async (trx) => {
    const database = await findDatabase(trx, ownerId, id);
    const { numUpdatedRows } = await trx
      .updateTable('managedDatabases')
      .set({ workCancelled: true })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .where('work', 'is not', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw conflict('NOT_BUSY', 'Nothing is being done with this database.');
    audit.note({ subject: { name: database.name } });
    return database;
  });
}
