import type { Subscription } from '@nephos/contracts';
import { PLANS } from '@nephos/contracts/constants';
import { formatDate, formatInstant } from '../../lib/format.ts';
import { formatCents } from '../../lib/money.ts';
import { StatusBadge } from '../../lib/status-badge.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CancelSubscription } from './cancel-subscription.tsx';
import { type Fact, Facts } from './facts.tsx';
import { ResumeSubscription } from './resume-subscription.tsx';
import { StatusCard } from './status-card.tsx';

function renewalOf({ status, cancelAtPeriodEnd, renewalDate }: Subscription): Fact {
  if (status === 'past_due') return { term: 'Renewal was due', value: formatDate(renewalDate) };
  return { term: cancelAtPeriodEnd ? 'Ends on' : 'Renewal date', value: formatDate(renewalDate) };
}

/** A subscription that is paid for, ends with its period, or waits for its renewal to be paid. */
export function SubscriptionStatus({ subscription }: { subscription: Subscription }) {
  const { planTier, status, amount, cancelAtPeriodEnd, renewalDate } = subscription;
  const pastDue = status === 'past_due';
  return (
    <StatusCard
      badge={
        <>
          {cancelAtPeriodEnd && <Badge>Cancelled at period end</Badge>}
          <StatusBadge status={status} />
        </>
      }
    >
      <Facts
        facts={[
          { term: 'Plan', value: PLANS[planTier].name },
          { term: 'Monthly cost', value: formatCents(amount) },
          renewalOf(subscription),
        ]}
      />
      {pastDue && <PastDue subscription={subscription} />}
      {cancelAtPeriodEnd && !pastDue && (
        <p className="text-muted">
          Your plan stays active until {formatDate(renewalDate)}. It is not charged again.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {cancelAtPeriodEnd && !pastDue ? (
          <ResumeSubscription renewalDate={renewalDate} />
        ) : (
          <CancelSubscription subscription={subscription} />
        )}
      </div>
    </StatusCard>
  );
}

function PastDue({ subscription: { failure, nextAttempt } }: { subscription: Subscription }) {
  return (
    <Notice tone="warning" title="The last renewal could not be charged">
      {failure}{' '}
      {nextAttempt
        ? `It is tried again on ${formatInstant(nextAttempt)}. Pay now to go on without waiting, with this or another card.`
        : 'Pay now to keep your plan, with this or another card.'}
    </Notice>
  );
}
