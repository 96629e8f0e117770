import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { type ReturnedPayment, useReturnedPayment } from './billing-search.ts';
import { forgetPlan, keptPlan } from './kept-plan.ts';
import { NOT_RECORDED, notRecorded } from './payment-stopped.tsx';
import { sayDeclined } from './payment-toasts.ts';
import { useSubscribe } from './use-subscribe.ts';

const RECEIVED = { title: 'Payment received', description: 'Your plan becomes active in a moment.' };
const PROCESSED = {
  title: 'Your bank is processing the payment',
  description: 'Your plan becomes active once it has arrived. There is nothing to pay again.',
};

/** Ends what a payment by way of the bank's own page began, once the person is back from there. */
export function PaymentReturn() {
  const returned = useReturnedPayment();
  return returned && <Return {...returned} />;
}

function Return({ intentId, outcome, hideSecret, clear }: ReturnedPayment) {
  const { run, pending, refusal } = useSubscribe({ onDone: clear });

  function finish() {
    const planTier = keptPlan(intentId);
    if (outcome === 'failed') {
      sayDeclined('Your bank did not confirm the payment. Your card was not charged.');
      forgetPlan(intentId);
      return clear();
    }
    if (outcome === 'succeeded' && planTier) return run({ planTier, paymentIntentId: intentId });
    // Not decided yet, or begun in another tab: the provider tells the server of it, and the page follows.
    toast(outcome === 'open' ? PROCESSED : RECEIVED);
    clear();
  }

  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    hideSecret();
    finish();
  });

  return <Progress pending={pending} refusal={refusal} onRetry={finish} />;
}

interface ProgressProps {
  pending: boolean;
  /** Why the plan is not active, though it is paid for. */
  refusal: string | undefined;
  onRetry: () => void;
}

function Progress({ pending, refusal, onRetry }: ProgressProps) {
  if (refusal === undefined) {
    return (
      <p role="status" className="mb-6 text-muted">
        {pending && 'Processing...'}
      </p>
    );
  }
  return (
    <Notice
      tone="warning"
      title={NOT_RECORDED}
      className="mb-6"
      action={
        <Button size="sm" pending={pending} onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {notRecorded(refusal)}
    </Notice>
  );
}
