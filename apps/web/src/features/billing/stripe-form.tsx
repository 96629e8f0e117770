import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentIntentResult, Stripe, StripeElements } from '@stripe/stripe-js';
import { type FormEvent, useState } from 'react';
import { keepPlan } from './kept-plan.ts';
import { PaymentEnd } from './payment-end.tsx';
import type { PaymentForm } from './payment-form.ts';
import { sayDeclined, sayFailed } from './payment-toasts.ts';

/** Stripe leaves for the bank's page only where the card demands it, and comes back to ours (specification §7). */
function confirmAt(stripe: Stripe, elements: StripeElements): Promise<PaymentIntentResult> {
  return stripe.confirmPayment({
    elements,
    confirmParams: { return_url: `${window.location.origin}/billing` },
    redirect: 'if_required',
  });
}

/** The part of the form that is ours: Stripe's fields, and what becomes of them. */
export function StripeForm({ tier, payment, busy, onPaying, onPaid }: PaymentForm) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  function settle({ error, paymentIntent }: PaymentIntentResult) {
    // Only what succeeded is paid (specification §5); also where the answer to an earlier try was lost.
    const intent = paymentIntent ?? error?.payment_intent;
    if (intent?.status === 'succeeded') return onPaid(intent.id);
    const message = error?.message;
    setRefusal(message);
    if (message) sayDeclined(message);
    else sayFailed(undefined);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!stripe || !elements || busy) return;
    setRefusal(undefined);
    onPaying(true);
    keepPlan(payment.intentId, tier);
    try {
      settle(await confirmAt(stripe, elements));
    } catch (error) {
      sayFailed(error instanceof Error ? error.message : undefined);
    }
    onPaying(false);
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
      <PaymentElement onReady={() => setReady(true)} />
      <PaymentEnd disabled={!stripe || !elements || !ready} busy={busy} refusal={refusal} />
    </form>
  );
}
