import { PLAN_TIERS, type PlanTier } from '@nephos/contracts/constants';

function keyOf(intentId: string): string {
  return `payment-plan:${intentId}`;
}

/** Remembers in this tab what a payment is for, since its way may lead over the bank's own page. */
export function keepPlan(intentId: string, planTier: PlanTier): void {
  sessionStorage.setItem(keyOf(intentId), planTier);
}

/** What a payment that was begun in this tab is for; undefined of any other. */
export function keptPlan(intentId: string): PlanTier | undefined {
  const kept = sessionStorage.getItem(keyOf(intentId));
  return PLAN_TIERS.find((tier) => tier === kept);
}

export function forgetPlan(intentId: string): void {
  sessionStorage.removeItem(keyOf(intentId));
}
