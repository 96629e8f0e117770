import { lazy } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useChanges } from '../../lib/use-changes.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PaymentReturn } from './payment/payment-return.tsx';
import { AccessStatus } from './plan/access-status.tsx';
import { SubscribeButton } from './plan/plan-dialog.tsx';
import { PaymentList } from './records/payment-list.tsx';
import { RateCard, UsageRecords } from './records/usage-records.tsx';
import { SummarySection } from './summary/summary-section.tsx';
import { useBillingQueries } from './use-billing-queries.ts';

const LimitsCard = lazy(() =>
  import('./limits-card.tsx').then(({ LimitsCard }) => ({ default: LimitsCard })),
);

export function BillingPage() {
  const [{ enabled }] = trpc.billing.status.useSuspenseQuery();
  useBillingChanges();
  return enabled ? <Plans /> : <UsageAlone />;
}

function Plans() {
  const [subscription] = trpc.billing.activeSubscription.useSuspenseQuery();
  return (
    <>
      <PageHeader {...HEADINGS.billing} action={<SubscribeButton subscription={subscription} />} />
      <PaymentReturn />
      <AccessStatus subscription={subscription} />
      <SummarySection />
      <Limits />
      <PaymentList />
      <RateCard />
      {/* Last, since it grows without end. */}
      <UsageRecords priced />
    </>
  );
}

/** The page of a server on which nothing is sold. */
function UsageAlone() {
  return (
    <>
      <PageHeader title="Usage" description="What your resources use, hour by hour." />
      <Limits />
      <UsageRecords priced={false} />
    </>
  );
}

function Limits() {
  return (
    <LatePart wanted fallback={<Skeleton className="mb-6 h-40 w-full" />}>
      <LimitsCard />
    </LatePart>
  );
}

/** Keeps the page true while it is open: a payment may come through, or a renewal fail, without anything done here. */
function useBillingChanges(): void {
  const { billing } = trpc.useUtils();
  const queries = useBillingQueries();

  function refetch() {
    for (const query of queries) void query.invalidate();
  }

  useChanges(trpc.billing.changes, undefined, {
    refetch: () => {
      refetch();
      // Grows by the hour, which the stream does not tell.
      void billing.usage.invalidate();
    },
    onChange: refetch,
  });
}
