import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';

/** How many rows a person has in a table. A limit is judged by it under the account's lock (`lockAccount`). */
export async function countOwned(
  db: Kysely<Database>,
  table: 'projects' | 'managedDatabases' | 'dnsZones' | 'virtualAccounts' | 'beneficiaries',
  ownerId: string,
): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .where('ownerId', '=', ownerId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
