import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentIntentResult, Stripe, StripeElements } from '@stripe/stripe-js';
import { useQuery } from '@tanstack/react-query';
import { createContext, type FormEvent, use, useEffect, useRef, useState } from 'react';
import { useTheme } from '../../../shell/theme.tsx';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { CardFormSkeleton, PaymentEnd, type PaymentForm, TestModeNotice } from './payment-form.tsx';
import { keepPlan, PAYMENT_FAILURE, sayDeclined, sayFailed } from './payment-outcome.ts';

/** How Stripe is loaded: its script and what asks for it, only once somebody pays. */
export const StripeLoader = createContext<LoadStripe>(async (publishableKey) => {
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  return loadStripe(publishableKey);
});

/** Fetches Stripe's own script, which has to come from Stripe; null where there is no browser. */
type LoadStripe = (publishableKey: string) => Promise<Stripe | null>;

function useStripeScript(publishableKey: string) {
  const load = use(StripeLoader);
  return useQuery({
    queryKey: ['stripe', publishableKey],
    queryFn: () => load(publishableKey),
    // It is a thing that acts, not data to compare.
    structuralSharing: false,
  });
}

interface StripePaymentProps extends PaymentForm {
  publishableKey: string;
  testMode: boolean;
}

/** A payment by Stripe's own form, which alone sees the card. */
export function StripePayment({ publishableKey, testMode, ...form }: StripePaymentProps) {
  const { theme } = useTheme();
  const stripe = useStripeScript(publishableKey);
  if (stripe.isPending) return <CardFormSkeleton />;
  if (!stripe.data) return <NotLoaded pending={stripe.isFetching} onRetry={() => void stripe.refetch()} />;
  return (
    <Elements
      stripe={stripe.data}
      options={{
        clientSecret: form.payment.clientSecret,
        appearance: { theme: theme === 'light' ? 'stripe' : 'night' },
      }}
    >
      {testMode && (
        <TestModeNotice className="mb-4">
          Stripe is running with test keys. Use a test card such as 4242 4242 4242 4242.
        </TestModeNotice>
      )}
      <StripeForm {...form} />
    </Elements>
  );
}

function NotLoaded({ pending, onRetry }: { pending: boolean; onRetry: () => void }) {
  return (
    <Notice
      tone="danger"
      title="Couldn't load Stripe. Check your connection and try again."
      action={
        <Button size="sm" pending={pending} onClick={onRetry}>
          Try again
        </Button>
      }
    />
  );
}

interface StripeBankProps extends PaymentForm {
  publishableKey: string;
  onDenied: (message: string) => void;
}

/** What a card's bank asks of a payment that the server made with it: Stripe's script shows it. */
export function StripeBank({ publishableKey, payment, busy, onDenied, ...events }: StripeBankProps) {
  const { onPaying, onPaid, onUndecided } = events;
  const stripe = useStripeScript(publishableKey);
  const asked = useRef(false);
  useEffect(() => {
    if (!stripe.data || asked.current) return;
    asked.current = true;
    void ask(stripe.data);
  });

  async function ask(loaded: Stripe) {
    onPaying(true);
    try {
      const { error, paymentIntent } = await loaded.handleNextAction({ clientSecret: payment.clientSecret });
      const intent = paymentIntent ?? error?.payment_intent;
      if (intent?.status === 'succeeded') onPaid(intent.id);
      else if (intent?.status === 'processing') onUndecided();
      else deny(error?.message);
    } catch (error) {
      deny(error instanceof Error ? error.message : undefined);
    }
    onPaying(false);
  }

  function deny(message = PAYMENT_FAILURE) {
    sayDeclined(message);
    onDenied(message);
  }

  if (!stripe.isPending && !stripe.data) {
    return <NotLoaded pending={stripe.isFetching} onRetry={() => void stripe.refetch()} />;
  }
  return (
    <p role="status" className="flex items-center gap-2 py-4 text-muted">
      {busy && <Spinner />}
      Confirm the payment with your bank...
    </p>
  );
}

/** Stripe leaves for the bank's page only where the card demands it, and comes back to ours. */
function confirmAt(stripe: Stripe, elements: StripeElements): Promise<PaymentIntentResult> {
  return stripe.confirmPayment({
    elements,
    confirmParams: { return_url: `${window.location.origin}/billing` },
    redirect: 'if_required',
  });
}

/** The part of the form that is ours: Stripe's fields, and what becomes of them. */
function StripeForm({ tier, payment, busy, onPaying, onPaid, onUndecided }: PaymentForm) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  function settle({ error, paymentIntent }: PaymentIntentResult) {
    // Only what succeeded is paid; also where the answer to an earlier try was lost.
    const intent = paymentIntent ?? error?.payment_intent;
    if (intent?.status === 'succeeded') return onPaid(intent.id);
    if (intent?.status === 'processing') return onUndecided();
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
