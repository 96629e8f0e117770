import type { Subscription } from '@nephos/contracts';
import { PLANS } from '@nephos/contracts/constants';
import { formatDate, formatInstant } from '../../../lib/format.ts';
import { formatCents } from '../../../lib/money.ts';
import { StatusBadge } from '../../../lib/status-badge.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { CancelSubscription, ResumeSubscription } from './cancel-subscription.tsx';
import { type Fact, Facts, StatusCard } from './status-card.tsx';

function renewalOf({ status, renewing, cancelAtPeriodEnd, renewalDate }: Subscription): Fact {
  const value = formatDate(renewalDate);
  if (status === 'past_due') return { term: 'Renewal was due', value };
  if (renewing) return { term: 'Renewal due', value };
  return { term: cancelAtPeriodEnd ? 'Ends on' : 'Renewal date', value };
}

/** A subscription that is paid for, ends with its period, or waits for its renewal to be paid. */
export function SubscriptionStatus({ subscription }: { subscription: Subscription }) {
  const { planTier, status, amount, renewing, cancelAtPeriodEnd, renewalDate } = subscription;
  const pastDue = status === 'past_due';
  return (
    <StatusCard
      badge={
        <>
          {renewing && <Badge>Renewal pending</Badge>}
          {cancelAtPeriodEnd && <Badge>Cancels at period end</Badge>}
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
      {renewing && <Renewing subscription={subscription} />}
      {cancelAtPeriodEnd && !pastDue && !renewing && (
        <p className="text-muted">
          Your plan stays active until {formatDate(renewalDate)}. You won't be charged again.
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

function Renewing({ subscription: { cancelAtPeriodEnd } }: { subscription: Subscription }) {
  return (
    <Notice title="Renewal not confirmed yet">
      {cancelAtPeriodEnd
        ? 'The renewal had already started when you cancelled. If your card was charged, your plan stays active for that month; otherwise it ends.'
        : "Your card is charged as soon as the payment provider responds. Your plan stays active, and you don't need to do anything."}
    </Notice>
  );
}

function PastDue({ subscription: { failure, nextAttempt } }: { subscription: Subscription }) {
  return (
    <Notice tone="warning" title="Your last renewal payment failed">
      {failure}{' '}
      {nextAttempt
        ? `We'll try again on ${formatInstant(nextAttempt)}. You can also pay now, with this or another card.`
        : 'Pay now to keep your plan, with this or another card.'}
    </Notice>
  );
}
