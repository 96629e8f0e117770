import { createFileRoute } from '@tanstack/react-router';
import { BillingPage } from '../../features/billing/billing-page.tsx';
import { billingSearch } from '../../features/billing/billing-search.ts';
import { BillingSkeleton } from '../../features/billing/billing-skeleton.tsx';

export const Route = createFileRoute('/_console/billing')({
  validateSearch: billingSearch,
  loader: ({ context: { utils } }) =>
    Promise.all([
      utils.billing.status.ensureData(),
      utils.billing.activeSubscription.ensureData(),
      // What only informs is left out where it cannot be had.
      utils.billing.summary.prefetch(),
      utils.billing.provider.prefetch(),
    ]),
  pendingComponent: BillingSkeleton,
  component: BillingPage,
});
