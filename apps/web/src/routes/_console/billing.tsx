import { createFileRoute } from '@tanstack/react-router';
import { BillingPage } from '../../features/billing/billing-page.tsx';
import { SummarySkeleton } from '../../features/billing/summary/summary-skeleton.tsx';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What Stripe adds to the address when it sends the person back from their bank. */
interface BillingSearch {
  payment_intent?: string | undefined;
  redirect_status?: string | undefined;
}

export const Route = createFileRoute('/_console/billing')({
  validateSearch: ({ payment_intent, redirect_status }: Record<string, unknown>): BillingSearch => ({
    payment_intent: textOf(payment_intent),
    redirect_status: textOf(redirect_status),
  }),
  loader: ({ context: { utils } }) =>
    Promise.all([
      utils.billing.status.ensureData(),
      utils.billing.activeSubscription.ensureData(),
      // What only informs is left out where it cannot be had.
      utils.billing.summary.prefetch(),
      utils.billing.provider.prefetch(),
    ]),
  pendingComponent: () => (
    <>
      <PageSkeleton
        label="Loading your subscription"
        heading={HEADINGS.billing}
        action="w-36"
        bars={['mb-6 h-44 rounded-xl']}
      />
      <SummarySkeleton />
    </>
  ),
  component: BillingPage,
});
