import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.ts';
import { forgetPlan, keptPlan, PROCESSED, sayDeclined, useSubscribe } from './payment-outcome.ts';
import { NOT_RECORDED, notRecorded } from './payment-stopped.tsx';

const route = getRouteApi('/_console/billing');
const OUTCOMES = ['succeeded', 'failed'] as const;
const RECEIVED = { title: 'Payment received', description: 'Your plan will be active in a moment.' };

/** A payment that went by way of the bank's own page. */
interface ReturnedPayment {
  intentId: string;
  /** `open` while the bank has not decided. */
  outcome: 'succeeded' | 'failed' | 'open';
  /** Takes the payment's secret out of the address, and leaves what a reload needs. */
  hideSecret: () => void;
  /** Takes all of it out. */
  clear: () => void;
}

/** The payment that the person comes back from; undefined on every other visit. */
function useReturnedPayment(): ReturnedPayment | undefined {
  const { payment_intent, redirect_status } = route.useSearch();
  const navigate = useNavigate();
  if (payment_intent === undefined) return undefined;
  const show = (search: ReturnType<typeof route.useSearch>) =>
    void navigate({ to: '/billing', search, replace: true });
  return {
    intentId: payment_intent,
    outcome: OUTCOMES.find((known) => known === redirect_status) ?? 'open',
    hideSecret: () => show({ payment_intent, redirect_status }),
    clear: () => show({ payment_intent: undefined, redirect_status: undefined }),
  };
}

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
