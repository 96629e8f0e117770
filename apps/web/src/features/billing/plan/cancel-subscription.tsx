import type { Subscription } from '@nephos/contracts';
import { PLANS } from '@nephos/contracts/constants';
import { formatDate } from '../../../lib/format.ts';
import { trpc } from '../../../lib/trpc.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useBillingQueries } from '../use-billing-queries.ts';

/** Asks, then cancels: at the end of the period, or at once where it is past due. */
export function CancelSubscription({ subscription }: { subscription: Subscription }) {
  const cancel = useAction(trpc.billing.cancel.useMutation(), {
    success: 'Subscription cancelled',
    failure: 'Failed to cancel the subscription',
    serverSpeaks: true,
    refresh: useBillingQueries(),
  });
  return (
    <ConfirmDialog
      title="Cancel subscription?"
      description={whatCancelling(subscription)}
      label="Cancel subscription"
      keepLabel="Keep subscription"
      action={cancel}
      onConfirm={(close) => cancel.run(undefined, close)}
      trigger={(open) => <Button onClick={open}>Cancel subscription</Button>}
    />
  );
}

/** What cancelling does to it, in a sentence or two. */
function whatCancelling({ planTier, status, renewing, renewalDate }: Subscription): string {
  const { name } = PLANS[planTier];
  if (status === 'past_due') {
    return `The ${name} plan ends now, since its last payment failed. You won't be charged again.`;
  }
  if (renewing) {
    return `Your ${name} plan is being renewed right now. If your card was already charged, the plan stays active for that month; otherwise it ends.`;
  }
  return `Your ${name} plan stays active until ${formatDate(renewalDate)}, and you won't be charged again. You can resume it until then.`;
}

/** Takes a cancellation back. Not confirmed: it can be cancelled again, and nothing is charged before the renewal. */
export function ResumeSubscription({ renewalDate }: { renewalDate: string }) {
  const resume = useAction(trpc.billing.resume.useMutation(), {
    success: 'Subscription resumed',
    failure: 'Failed to resume the subscription',
    serverSpeaks: true,
    refresh: useBillingQueries(),
  });
  return (
    <Button title={`It renews on ${formatDate(renewalDate)}`} {...resume.button} onClick={() => resume.run()}>
      Resume
    </Button>
  );
}
