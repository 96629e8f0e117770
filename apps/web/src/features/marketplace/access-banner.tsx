import { TRIAL_DAYS, TRIAL_ENDED } from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import { remainingOf } from '../../lib/trial.ts';
import { useAccess } from '../../lib/use-access.ts';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Notice } from '../../ui/notice.tsx';

/** Whether one may install, and for how long; nothing for those with a subscription, or without billing. */
export function AccessBanner() {
  const access = useAccess();
  if (access.kind === 'subscription' || access.kind === 'unlimited') return null;
  if (access.kind === 'none') return <SubscriptionRequired className="mb-6" />;
  return (
    <Notice title={`${TRIAL_DAYS}-Day Free Trial Active`} action={<PlansLink />} className="mb-6">
      {remainingOf(access.trial)}
    </Notice>
  );
}

/** Why nothing can be installed, and the way out of it. */
export function SubscriptionRequired({ className }: { className?: string }) {
  return (
    <Notice
      tone="warning"
      title="Subscription Required"
      action={<PlansLink />}
      {...(className && { className })}
    >
      {TRIAL_ENDED}
    </Notice>
  );
}

function PlansLink() {
  return (
    <Link to="/billing" className={buttonStyles({ size: 'sm' })}>
      View Subscription Plans
    </Link>
  );
}
