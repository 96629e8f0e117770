import { PLANS, type Plan } from '@nephos/contracts/constants';
import type { Deps } from '../../context.ts';
import { IN_FORCE } from './standing.ts';

/** What an account may have: `deployments` is null and `storage` infinite for any number. */
export type Allowance = Pick<Plan, 'name' | 'deployments' | 'storage'>;

const UNLIMITED: Allowance = { name: 'Unlimited', deployments: null, storage: Number.POSITIVE_INFINITY };

/**
 * The plan whose limits an account has: that of its subscription, also while a renewal is past due; without one, those
 * of the smallest plan. No limits where billing is switched off.
 */
export async function planOf(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  userId: string,
): Promise<Allowance> {
  if (!settings.billing) return UNLIMITED;
  const subscription = await db
    .selectFrom('subscriptions')
    .select('planTier')
    .where('userId', '=', userId)
    .where(IN_FORCE)
    .executeTakeFirst();
  return PLANS[subscription?.planTier ?? 'starter'];
}
