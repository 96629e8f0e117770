import { type Database, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

const readClock = prepare((db) => sql<{ now: string }>`select now()`.compile(db));

/** The time by the database's clock, which decides every expiry; in a transaction, that of its beginning. */
export async function databaseNow(db: Kysely<Database>): Promise<Date> {
  const [row] = await readClock(db, {});
  if (!row) throw new Error('The database did not tell the time.');
  return new Date(row.now);
}
