import { PLANS, type PlanTier } from '@nephos/contracts/constants';
import { formatCents } from '../../lib/money.ts';

/** What a plan costs a month, without the cents that no plan has: `$29`. */
export function priceOf(tier: PlanTier): string {
  return formatCents(PLANS[tier].price).replace(/\.00$/, '');
}
