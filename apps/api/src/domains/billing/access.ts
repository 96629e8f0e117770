import { sql } from 'kysely';
import type { Deps } from '../../context.ts';
import { IS_PAID } from './standing.ts';

/**
 * Whether someone may install marketplace items: while their trial lasts, or a subscription that is paid for, both by
 * the database's clock. Always where billing is switched off.
 */
export async function mayInstall(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  userId: string,
): Promise<boolean> {
  if (!settings.billing) return true;
  const user = await db
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
