import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** Whether someone may install marketplace items: while their trial lasts, by the database's clock. */
export async function mayInstall(trx: Kysely<Database>, userId: string): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select(sql<boolean>`coalesce(trial_end_date > now(), false)`.as('inTrial'))
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.inTrial ?? false;
}
