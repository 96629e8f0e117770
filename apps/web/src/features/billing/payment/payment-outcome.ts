import type { Subscription } from '@nephos/contracts';
import { PLAN_TIERS, PLANS, type PlanTier } from '@nephos/contracts/constants';
import { trpc } from '../../../lib/trpc.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useOnce } from '../../../lib/use-once.ts';
import { toast } from '../../../ui/toast.ts';
import { useBillingQueries } from '../use-billing-queries.ts';

export const PAYMENT_FAILURE = 'Failed to process payment';
/** Said of a payment that is neither made nor refused. */
export const PROCESSED = {
  title: 'Your bank is processing the payment',
  description: "Your plan becomes active once the payment arrives. You don't need to pay again.",
};

/** Records the subscription that a payment paid for. */
export function useSubscribe({ onDone }: { onDone: () => void }) {
  const { client } = trpc.useUtils();
  const subscribing = useOnce(async (input: { planTier: PlanTier; paymentIntentId: string }, options) => {
    const subscription = await client.billing.subscribe.mutate(input, options);
    forgetPlan(input.paymentIntentId);
    return subscription;
  });
  return useAction(subscribing, {
    failure: PAYMENT_FAILURE,
    serverSpeaks: true,
    refresh: useBillingQueries(),
    onDone: (subscription) => {
      sayRecorded(subscription);
      onDone();
    },
  });
}

/** The provider refused the card, and says why. */
export function sayDeclined(message: string): void {
  toast({ title: 'Payment Failed', description: message, variant: 'destructive' });
}

/** A payment ended without an answer to go on with. */
export function sayFailed(message: string | undefined): void {
  toast({ title: 'Error', description: message || PAYMENT_FAILURE, variant: 'destructive' });
}

/** What a payment paid for. Told of late, that may be over: a plan that was paid for after it has its place. */
function sayRecorded({ planTier, status }: Subscription): void {
  const over = {
    title: 'Payment recorded',
    description: `The ${PLANS[planTier].name} plan isn't active: a later payment replaced it, or it was cancelled.`,
  };
  toast(status === 'cancelled' ? over : { title: 'Subscription activated successfully!' });
}

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
