import type { Subscription } from '@nephos/contracts';
import { PLANS, type PlanTier } from '@nephos/contracts/constants';
import { lazy, useEffect, useRef, useState } from 'react';
import { trpc } from '../../../lib/trpc.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useOnce } from '../../../lib/use-once.ts';
import { LatePart } from '../../../shell/late-part.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogContent } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { StartedPayment } from '../payment/payment-form.tsx';
import { PlanStep } from './plan-step.tsx';

const PaymentStep = lazy(() =>
  import('../payment/payment-step.tsx').then((part) => ({ default: part.PaymentStep })),
);

/** What is being done about the plan. */
type Doing = 'choosing' | 'paying';

/** The page's first step: a plan, another plan, or the payment that a renewal lacks. */
export function SubscribeButton({ subscription }: { subscription: Subscription | null }) {
  const [doing, setDoing] = useState<Doing>();
  const pastDue = subscription?.status === 'past_due';
  const choose = () => setDoing('choosing');
  return (
    <>
      {pastDue && <Button onClick={choose}>Change plan</Button>}
      <Button variant="primary" onClick={pastDue ? () => setDoing('paying') : choose}>
        {pastDue ? 'Pay now' : subscription ? 'Change plan' : 'Subscribe Now'}
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

interface PlanDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  subscription: Subscription | null;
  /** A plan that is paid for at once, without choosing. */
  payFor: PlanTier | undefined;
}

/** The way to a plan: choose it, then pay for it. Closing it forgets plan, secret and step. */
function PlanDialog({ open, onOpenChange, ...flow }: PlanDialogProps) {
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
        description="Billed monthly. Change or cancel anytime. Each project counts as one deployment."
      >
        <PlanStep subscription={subscription} starting={starting} refusal={refusal} onChoose={start} />
      </DialogContent>
    );
  }
  return (
    <DialogContent title={`Enter Payment Details - ${PLANS[tier].name} Plan`}>
      <LatePart wanted onSaid={onClose} fallback={<Skeleton className="h-48 w-full" />}>
        <PaymentStep
          tier={tier}
          payment={payment}
          changes={subscription !== null && subscription.planTier !== tier}
          refusal={refusal}
          onRetry={() => start(tier)}
          onBusy={onBusy}
          onClose={onClose}
        />
      </LatePart>
    </DialogContent>
  );
}

interface StartPaymentOptions {
  /** Begun at once. */
  payFor: PlanTier | undefined;
  onStarted: (payment: StartedPayment) => void;
}

/** Begins to pay for a plan. */
function useStartPayment({ payFor, onStarted }: StartPaymentOptions) {
  const { client } = trpc.useUtils();
  const [wanted, setWanted] = useState(payFor);
  const begin = useOnce(async (input: { planTier: PlanTier }, options) => {
    const { paymentIntentId, clientSecret } = await client.billing.startPayment.mutate(input, options);
    return { planTier: input.planTier, intentId: paymentIntentId, clientSecret };
  });
  const { run, pending, refusal } = useAction(begin, {
    failure: 'Failed to initiate payment',
    serverSpeaks: true,
    onDone: onStarted,
  });

  const begun = useRef(false);
  useEffect(() => {
    if (payFor === undefined || begun.current) return;
    begun.current = true;
    run({ planTier: payFor });
  });

  return {
    start: (planTier: PlanTier) => {
      setWanted(planTier);
      run({ planTier });
    },
    /** The plan whose payment is being begun. */
    starting: pending ? wanted : undefined,
    refusal,
  };
}
