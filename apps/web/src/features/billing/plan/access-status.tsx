import type { Subscription } from '@nephos/contracts';
import { TRIAL_DAYS } from '@nephos/contracts/constants';
import { Clock } from 'lucide-react';
import { formatDate } from '../../../lib/format.ts';
import { remainingOf, type Trial } from '../../../lib/trial.ts';
import { useAccess } from '../../../lib/use-access.ts';
import { useUser } from '../../../lib/use-user.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { StatusCard } from './status-card.tsx';
import { SubscriptionStatus } from './subscription-status.tsx';

/** What the account may use: by its subscription, else by its trial, else not at all. */
export function AccessStatus({ subscription }: { subscription: Subscription | null }) {
  const access = useAccess();
  const { trialEndDate } = useUser();
  if (subscription) return <SubscriptionStatus subscription={subscription} />;
  if (access.kind === 'trial') return <TrialStatus trial={access.trial} endDate={trialEndDate} />;
  return <NoSubscription />;
}

interface TrialStatusProps {
  trial: Trial;
  endDate: string | null;
}

function TrialStatus({ trial, endDate }: TrialStatusProps) {
  return (
    <StatusCard
      badge={
        <Badge tone="info" icon={<Clock aria-hidden="true" />}>
          Trial Active
        </Badge>
      }
    >
      <div>
        <p className="font-semibold text-lg">{`${TRIAL_DAYS}-Day Free Trial`}</p>
        <p className="mt-0.5">
          {endDate && <>Ends on {formatDate(endDate)}. </>}
          {remainingOf(trial)}
        </p>
      </div>
      <p className="text-muted">
        You can install marketplace items during the trial. After {TRIAL_DAYS} days, the account is charged
        for selected services only if you choose a plan.
      </p>
    </StatusCard>
  );
}

function NoSubscription() {
  return (
    <StatusCard badge={<Badge>No Subscription</Badge>}>
      <Notice
        tone="warning"
        title="Marketplace Access Restricted: Your trial has ended. Subscribe to a plan to continue installing marketplace items and access premium features."
      />
    </StatusCard>
  );
}
