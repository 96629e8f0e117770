import type { Subscription } from '@nephos/contracts';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { PlanDialog } from './plan-dialog.tsx';

/** What is being done about the plan. */
type Doing = 'choosing' | 'paying';

/** The page's first step: a plan, another plan, or the payment that a renewal lacks. */
export function SubscribeButton({ subscription }: { subscription: Subscription | null }) {
  const [doing, setDoing] = useState<Doing>();
  const pastDue = subscription?.status === 'past_due';
  const choose = () => setDoing('choosing');
  return (
    <>
      {pastDue && <Button onClick={choose}>Change Plan</Button>}
      <Button variant="primary" onClick={pastDue ? () => setDoing('paying') : choose}>
        {pastDue ? 'Pay Now' : subscription ? 'Change Plan' : 'Subscribe Now'}
      </Button>
      <PlanDialog
        open={doing !== undefined}
        onOpenChange={() => setDoing(undefined)}
        subscription={subscription}
        payFor={doing === 'paying' ? subscription?.planTier : undefined}
      />
    </>
  );
}
