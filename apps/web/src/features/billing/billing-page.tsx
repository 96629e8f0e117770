import { trpc } from '../../trpc.ts';
import { AccessStatus } from './access-status.tsx';
import { BillingHeader } from './billing-header.tsx';
import { PaymentList } from './payment-list.tsx';
import { PaymentReturn } from './payment-return.tsx';
import { RateCard } from './rate-card.tsx';
import { SubscribeButton } from './subscribe-button.tsx';
import { SummarySection } from './summary-section.tsx';
import { UsageRecords } from './usage-records.tsx';
import { useBillingChanges } from './use-billing-changes.ts';

export function BillingPage() {
  const [subscription] = trpc.billing.activeSubscription.useSuspenseQuery();
  useBillingChanges();
  return (
    <>
      <BillingHeader action={<SubscribeButton subscription={subscription} />} />
      <PaymentReturn />
      <AccessStatus subscription={subscription} />
      <SummarySection />
      <PaymentList />
      <RateCard />
      {/* Last, since it grows without end. */}
      <UsageRecords />
    </>
  );
}
