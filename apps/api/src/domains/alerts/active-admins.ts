import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';

/** Ids of the administrators that are not disabled: whose matter the server is. */
export async function activeAdmins(db: Kysely<Database>): Promise<string[]> {
  const admins = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabledAt', 'is', null)
    .execute();
  return admins.map(({ id }) => id);
}
