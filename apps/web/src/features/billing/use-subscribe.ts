import type { PlanTier } from '@nephos/contracts/constants';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { trpc } from '../../trpc.ts';
import { forgetPlan } from './kept-plan.ts';
import { PAYMENT_FAILURE, sayRecorded } from './payment-toasts.ts';
import { useBillingQueries } from './use-billing-queries.ts';

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
