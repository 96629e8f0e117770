import { formatDate } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { useBillingQueries } from './use-billing-queries.ts';

/** Takes a cancellation back. Not confirmed: it can be cancelled again, and nothing is charged before the renewal. */
export function ResumeSubscription({ renewalDate }: { renewalDate: string }) {
  const resume = useAction(trpc.billing.resume.useMutation(), {
    success: 'Subscription resumed',
    failure: 'Failed to resume the subscription',
    serverSpeaks: true,
    refresh: useBillingQueries(),
  });
  return (
    <Button
      title={`It renews on ${formatDate(renewalDate)}`}
      pending={resume.pending}
      onClick={() => resume.run()}
    >
      Resume
    </Button>
  );
}
