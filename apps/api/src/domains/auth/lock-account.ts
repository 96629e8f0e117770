import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';

/** Holds an account until the transaction `trx` ends, so that calls at the same time are counted one after the other. */
export async function lockAccount(trx: Kysely<Database>, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}
