import type { PlanTier } from '@nephos/contracts/constants';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CardFormSkeleton } from './card-form-skeleton.tsx';
import { priceOf } from './price.ts';
import { SandboxPayment } from './sandbox-payment.tsx';
import type { StartedPayment } from './use-start-payment.ts';
import { useSubscribe } from './use-subscribe.ts';

/** Apart from the page, since few visits come to pay. */
const StripePayment = lazy(() =>
  import('./stripe-payment.tsx').then(({ StripePayment }) => ({ default: StripePayment })),
);

export interface PaymentStepProps {
  tier: PlanTier;
  /** Undefined until it was begun. */
  payment: StartedPayment | undefined;
  /** Whether it is another plan than the present one. */
  changes: boolean;
  /** Why it could not be begun. */
  refusal: string | undefined;
  onRetry: () => void;
  onBusy: (busy: boolean) => void;
  onClose: () => void;
}

/** The card, at whoever takes card payments here; then the subscription is recorded. */
export function PaymentStep({ tier, payment, changes, refusal, onRetry, onBusy, onClose }: PaymentStepProps) {
  const provider = trpc.billing.provider.useQuery();
  const [paying, setPaying] = useState(false);
  // The payment that succeeded: it is not made again, whatever becomes of what follows.
  const [paid, setPaid] = useState<string>();
  const { run, pending, refusal: unrecorded } = useSubscribe({ onDone: onClose });
  const busy = paying || pending;
  useEffect(() => {
    onBusy(busy);
    return () => onBusy(false);
  }, [busy, onBusy]);

  function record(paymentIntentId: string) {
    setPaid(paymentIntentId);
    run({ planTier: tier, paymentIntentId });
  }

  function contents(): ReactNode {
    if (refusal && !payment) return <NotBegun refusal={refusal} onRetry={onRetry} onClose={onClose} />;
    if (provider.error) return <LoadFailure query={provider} failure="Failed to load the card form" />;
    if (!payment || !provider.data) return <CardFormSkeleton />;
    if (paid && unrecorded)
      return <NotRecorded refusal={unrecorded} onRetry={() => record(paid)} onClose={onClose} />;
    const { publishableKey } = provider.data;
    const form = { tier, payment, busy, onPaying: setPaying, onPaid: record };
    if (publishableKey === null) return <SandboxPayment {...form} testCards={provider.data.testCards} />;
    return (
      <Suspense fallback={<CardFormSkeleton />}>
        <StripePayment {...form} publishableKey={publishableKey} testMode={provider.data.testMode} />
      </Suspense>
    );
  }

  return (
    <>
      <p className="mb-4 text-muted">
        <strong className="font-semibold text-fg">{priceOf(tier)}</strong> is charged now, and each month from
        now on to the same card, until you cancel.
        {changes && ' It takes the place of your present plan, and a new month begins.'}
      </p>
      {contents()}
    </>
  );
}

interface StoppedProps {
  refusal: string;
  onRetry: () => void;
  onClose: () => void;
}

function NotBegun({ refusal, onRetry, onClose }: StoppedProps) {
  return (
    <>
      <Notice tone="danger" title={refusal} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      </DialogFooter>
    </>
  );
}

/** The money has left: what is missing is only that the plan knows of it. */
function NotRecorded({ refusal, onRetry, onClose }: StoppedProps) {
  return (
    <>
      <Notice tone="warning" title="Your payment succeeded, but the plan is not active yet">
        {refusal} Try again: your card is not charged a second time.
      </Notice>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      </DialogFooter>
    </>
  );
}
