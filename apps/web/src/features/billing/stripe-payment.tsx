import { Elements } from '@stripe/react-stripe-js';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { useTheme } from '../../shell/theme.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CardFormSkeleton } from './card-form-skeleton.tsx';
import type { PaymentForm } from './payment-form.ts';
import { StripeForm } from './stripe-form.tsx';
import { StripeLoader } from './stripe-loader.ts';

export interface StripePaymentProps extends PaymentForm {
  publishableKey: string;
  testMode: boolean;
}

/** A payment by Stripe's own form, which alone sees the card. */
export function StripePayment({ publishableKey, testMode, ...form }: StripePaymentProps) {
  const load = use(StripeLoader);
  const { theme } = useTheme();
  const stripe = useQuery({
    queryKey: ['stripe', publishableKey],
    queryFn: () => load(publishableKey),
    // It is a thing that acts, not data to compare.
    structuralSharing: false,
  });
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
        <Notice title="Test mode: no real money moves" className="mb-4">
          Stripe runs with test keys here: enter one of its test cards, such as 4242 4242 4242 4242.
        </Notice>
      )}
      <StripeForm {...form} />
    </Elements>
  );
}

function NotLoaded({ pending, onRetry }: { pending: boolean; onRetry: () => void }) {
  return (
    <Notice
      tone="danger"
      title="Stripe could not be loaded. Check the connection, then try again."
      action={
        <Button size="sm" pending={pending} onClick={onRetry}>
          Try again
        </Button>
      }
    />
  );
}
