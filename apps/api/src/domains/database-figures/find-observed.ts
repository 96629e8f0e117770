import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { conflict } from '../../core/errors.ts';
import { type DatabaseRow, findAvailable } from '../databases/read.ts';

/** Throws 404, 409 NOT_POSTGRESQL and NOT_AVAILABLE. */
export async function findObserved(db: Kysely<Database>, ownerId: string, id: string): Promise<DatabaseRow> {
  const row = await findAvailable(db, ownerId, id);
  if (row.type === 'postgresql') return row;
  throw conflict('NOT_POSTGRESQL', 'There are figures of PostgreSQL databases only.');
}
