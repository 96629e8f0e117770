import type { Subscription } from '@nephos/contracts';
import { PLANS } from '@nephos/contracts/constants';
import { useState } from 'react';
import { formatDate } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useBillingQueries } from './use-billing-queries.ts';

/** Asks for the plan's name, then cancels: at the end of the period, or at once where it is past due. */
export function CancelSubscription({ subscription }: { subscription: Subscription }) {
  const { planTier } = subscription;
  const [asking, setAsking] = useState(false);
  const cancel = useAction(trpc.billing.cancel.useMutation(), {
    success: 'Subscription cancelled',
    failure: 'Failed to cancel the subscription',
    serverSpeaks: true,
    refresh: useBillingQueries(),
    onDone: () => setAsking(false),
  });
  const { name } = PLANS[planTier];
  return (
    <>
      <Button onClick={() => setAsking(true)}>Cancel Subscription</Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Cancel Subscription?"
        description={whatCancelling(subscription)}
        name={name}
        confirmLabel="Cancel subscription"
        keepLabel="Keep subscription"
        onConfirm={() => cancel.run()}
        pending={cancel.pending}
        refusal={cancel.refusal}
      />
    </>
  );
}

/** What cancelling does to it, in a sentence or two. */
function whatCancelling({ planTier, status, renewing, renewalDate }: Subscription): string {
  const { name } = PLANS[planTier];
  if (status === 'past_due') {
    return `The ${name} plan is not paid for: it ends at once, and is not charged again.`;
  }
  if (renewing) {
    return `The renewal of the ${name} plan is under way. If your card was charged already, the plan stays active for that month; if not, it ends.`;
  }
  return `The ${name} plan stays active until ${formatDate(renewalDate)}, and is not charged again. Until then you can resume it.`;
}
