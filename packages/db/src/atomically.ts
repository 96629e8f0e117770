import type { Kysely } from 'kysely';
import type { Database } from './schema/database.ts';

/** Runs `work` in the transaction that `db` already is, or in a new one. */
export async function atomically<T>(
  db: Kysely<Database>,
  work: (trx: Kysely<Database>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
