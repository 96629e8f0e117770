import type { Subscription } from '@nephos/contracts';
import { useAccess } from '../../lib/use-access.ts';
import { useUser } from '../../shell/use-user.ts';
import { NoSubscription } from './no-subscription.tsx';
import { SubscriptionStatus } from './subscription-status.tsx';
import { TrialStatus } from './trial-status.tsx';

/** What the account may use, specification §4: by its subscription, else by its trial, else not at all. */
export function AccessStatus({ subscription }: { subscription: Subscription | null }) {
  const access = useAccess();
  const { trialEndDate } = useUser();
  if (subscription) return <SubscriptionStatus subscription={subscription} />;
  if (access.kind === 'trial') return <TrialStatus trial={access.trial} endDate={trialEndDate} />;
  return <NoSubscription />;
}
