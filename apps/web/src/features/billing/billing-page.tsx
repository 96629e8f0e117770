import { trpc } from '../../trpc.ts';
import { Notice } from '../../ui/notice.tsx';
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
  const [{ enabled }] = trpc.billing.status.useSuspenseQuery();
  useBillingChanges();
  return enabled ? <Plans /> : <UsageAlone />;
}

function Plans() {
  const [subscription] = trpc.billing.activeSubscription.useSuspenseQuery();
  return (
    <>
      <BillingHeader action={<SubscribeButton subscription={subscription} />} />
      <PaymentReturn />
      <AccessStatus subscription={subscription} />
      <SummarySection billed />
      <PaymentList />
      <RateCard billed />
      {/* Last, since it grows without end. */}
      <UsageRecords />
    </>
  );
}

/** Of a server on which nothing is sold. */
function UsageAlone() {
  return (
    <>
      <BillingHeader description="What your resources use." />
      <Notice title="Billing is switched off on this server" className="mb-6">
        No plan limits what you can have, and nothing is charged. What your resources use is measured all the
        same, and shown at the usage rates.
      </Notice>
      <SummarySection billed={false} />
      <RateCard billed={false} />
      <UsageRecords />
    </>
  );
}
