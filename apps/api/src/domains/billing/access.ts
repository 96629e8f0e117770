import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { IS_PAID } from './standing.ts';

/**
 * Whether someone may install marketplace items: while their trial lasts, or a subscription that is paid for, both by
 * the database's clock.
 */
export async function mayInstall(trx: Kysely<Database>, userId: string): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select(({ exists, selectFrom }) => [
      sql<boolean>`coalesce(trial_end_date > now(), false)`.as('inTrial'),
      exists(
        selectFrom('subscriptions')
          .select('subscriptions.id')
          .where('subscriptions.userId', '=', userId)
          .where(IS_PAID),
      ).as('subscribed'),
    ])
    .where('id', '=', userId)
    .executeTakeFirst();
  return user !== undefined && (user.inTrial || Boolean(user.subscribed));
}
