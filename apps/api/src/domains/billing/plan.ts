import { PLANS, type Plan } from '@nephos/contracts/constants';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { IN_FORCE } from './standing.ts';

/**
 * The plan whose limits an account has: that of its subscription, also while a renewal is past due; without one, those
 * of the smallest plan.
 */
export async function planOf(db: Kysely<Database>, userId: string): Promise<Plan> {
  const subscription = await db
    .selectFrom('subscriptions')
    .select('planTier')
    .where('userId', '=', userId)
    .where(IN_FORCE)
    .executeTakeFirst();
  return PLANS[subscription?.planTier ?? 'starter'];
}
