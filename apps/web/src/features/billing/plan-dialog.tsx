import type { Subscription } from '@nephos/contracts';
import { PLANS, type PlanTier } from '@nephos/contracts/constants';
import { useState } from 'react';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { PaymentStep } from './payment-step.tsx';
import { PlanStep } from './plan-step.tsx';
import { type StartedPayment, useStartPayment } from './use-start-payment.ts';

export interface PlanDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  subscription: Subscription | null;
  /** A plan that is paid for at once, without choosing. */
  payFor: PlanTier | undefined;
}

/** The way to a plan: choose it, then pay for it. Closing it forgets plan, secret and step. */
export function PlanDialog({ open, onOpenChange, ...flow }: PlanDialogProps) {
  // A payment under way is not left behind unseen.
  const [busy, setBusy] = useState(false);
  function change(next: boolean) {
    if (!busy) onOpenChange(next);
  }
  return (
    <Dialog open={open} onOpenChange={change}>
      {open && <PlanFlow {...flow} onBusy={setBusy} onClose={() => onOpenChange(false)} />}
    </Dialog>
  );
}

interface PlanFlowProps extends Pick<PlanDialogProps, 'subscription' | 'payFor'> {
  onBusy: (busy: boolean) => void;
  onClose: () => void;
}

/** Mounted with the dialog, so that each opening starts anew. */
function PlanFlow({ subscription, payFor, onBusy, onClose }: PlanFlowProps) {
  const [payment, setPayment] = useState<StartedPayment>();
  const { start, starting, refusal } = useStartPayment({ payFor, onStarted: setPayment });
  const tier = payment?.planTier ?? payFor;
  if (tier === undefined) {
    return (
      <DialogContent
        wide
        title="Choose Your Plan"
        description="A plan is paid by the month, and can be changed or cancelled at any time."
      >
        <PlanStep subscription={subscription} starting={starting} refusal={refusal} onChoose={start} />
      </DialogContent>
    );
  }
  return (
    <DialogContent title={`Enter Payment Details - ${PLANS[tier].name} Plan`}>
      <PaymentStep
        tier={tier}
        payment={payment}
        changes={subscription !== null && subscription.planTier !== tier}
        refusal={refusal}
        onRetry={() => start(tier)}
        onBusy={onBusy}
        onClose={onClose}
      />
    </DialogContent>
  );
}
