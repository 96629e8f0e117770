import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { forbidden } from '../core/errors.ts';

/** Holds an account until the transaction `trx` ends, so that calls at the same time are counted one after the other. */
export async function lockAccount(trx: Kysely<Database>, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

type Table = 'projects' | 'managedDatabases' | 'dnsZones' | 'virtualAccounts' | 'beneficiaries';

/** How many rows a person has in a table. A limit is judged by it under the account's lock (`lockAccount`). */
export async function countOwned(db: Kysely<Database>, table: Table, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .where('ownerId', '=', ownerId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Locks an account, and throws 403 PLAN_LIMIT_REACHED with `refusal`, one sentence, where it has `most` rows of a table
 * already: of calls at the same time only those pass for which there is room.
 */
export async function assertRoom(
  trx: Kysely<Database>,
  ownerId: string,
  { table, most, refusal }: { table: Table; most: number; refusal: string },
): Promise<void> {
  await lockAccount(trx, ownerId);
  if ((await countOwned(trx, table, ownerId)) >= most) throw forbidden('PLAN_LIMIT_REACHED', refusal);
}
