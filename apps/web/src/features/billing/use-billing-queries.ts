import { trpc } from '../../lib/trpc.ts';

/** Everything that a payment, a change of the plan or of the card makes old. */
export function useBillingQueries() {
  const { billing } = trpc.useUtils();
  return [billing.activeSubscription, billing.subscriptions, billing.payments, billing.summary];
}
