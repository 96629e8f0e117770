import type { PaymentCard, SavedCardOutcome } from '@nephos/contracts';
import { CreditCard } from 'lucide-react';
import { lazy, useEffect, useState } from 'react';
import { trpc } from '../../../lib/trpc.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useOnce } from '../../../lib/use-once.ts';
import { LatePart } from '../../../shell/late-part.tsx';
import { Button } from '../../../ui/button.tsx';
import { DialogFooter } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useFocusKept } from '../../../ui/use-focus-kept.ts';
import { formatExpiry } from './card-expiry.ts';
import { CardFormSkeleton, type PaymentForm, TestModeNotice } from './payment-form.tsx';
import { keepPlan, PAYMENT_FAILURE, sayDeclined } from './payment-outcome.ts';
import { SandboxBank } from './sandbox-bank.tsx';

/** With Stripe's script, which few payments need. */
const StripeBank = lazy(() =>
  import('./stripe-payment.tsx').then(({ StripeBank }) => ({ default: StripeBank })),
);

export interface SavedCardProps extends PaymentForm {
  card: PaymentCard;
  /** Stripe's; null for the sandbox. */
  publishableKey: string | null;
  testMode: boolean;
  onUseAnother: () => void;
}

/** Offers to pay with the card that is kept, and shows what its bank asks. */
export function SavedCard({ card, publishableKey, testMode, onUseAnother, ...form }: SavedCardProps) {
  const { tier, payment, busy } = form;
  const { pay, declined, asking, setAtBank, setDeclined } = useSavedCard(form);

  if (asking && publishableKey === null) {
    return <SandboxBank {...form} onPaying={setAtBank} onDenied={setDeclined} />;
  }
  if (asking && publishableKey !== null) {
    return (
      <LatePart wanted fallback={<CardFormSkeleton />}>
        <StripeBank {...form} publishableKey={publishableKey} onPaying={setAtBank} onDenied={setDeclined} />
      </LatePart>
    );
  }
  return (
    <Offer
      card={card}
      testMode={testMode}
      busy={busy}
      refusal={pay.refusal ?? (declined || undefined)}
      onPay={() => {
        keepPlan(payment.intentId, tier);
        pay.run({ paymentIntentId: payment.intentId });
      }}
      onUseAnother={onUseAnother}
    />
  );
}

/** The payment with the card that is kept, as far as it has come. */
function useSavedCard({ onPaying, onPaid, onUndecided }: PaymentForm) {
  const { client } = trpc.useUtils();
  const [outcome, setOutcome] = useState<SavedCardOutcome['status']>();
  const [declined, setDeclined] = useState('');
  // Reported together: the bank is asked before the charge counts as answered.
  const [atBank, setAtBank] = useState(false);
  const pay = useAction(useOnce(client.billing.payWithSavedCard.mutate), {
    failure: PAYMENT_FAILURE,
    serverSpeaks: true,
    onDone({ status, paymentIntentId, message }) {
      setOutcome(status);
      setDeclined(message);
      if (status === 'succeeded') onPaid(paymentIntentId);
      if (status === 'requires_payment_method') sayDeclined(message);
      if (status === 'processing') onUndecided();
    },
  });
  const paying = pay.pending || atBank;
  useEffect(() => {
    onPaying(paying);
    return () => onPaying(false);
  }, [paying, onPaying]);
  return {
    pay,
    declined,
    asking: outcome === 'requires_action',
    setAtBank,
    /** The bank's question was answered with no. */
    setDeclined(message: string) {
      setAtBank(false);
      setOutcome('requires_payment_method');
      setDeclined(message);
    },
  };
}

interface OfferProps {
  card: PaymentCard;
  testMode: boolean;
  busy: boolean;
  /** Why the last attempt did not succeed. */
  refusal: string | undefined;
  onPay: () => void;
  onUseAnother: () => void;
}

function Offer({ card, testMode, busy, refusal, onPay, onUseAnother }: OfferProps) {
  const { brand, last4 } = card;
  useFocusKept(busy);
  return (
    <>
      {testMode && <TestModeNotice className="mb-4" />}
      <div className="flex items-center gap-3 rounded-xl border border-line bg-sunken px-4 py-3">
        <CreditCard aria-hidden="true" className="size-5 shrink-0 text-muted" />
        <p>
          <span className="block font-medium">{`${brand} ending ${last4}`}</span>
          <span className="text-muted text-sm">{`Expires ${formatExpiry(card)}`}</span>
        </p>
      </div>
      {refusal && !busy && <Notice tone="danger" title={refusal} className="mt-4" />}
      <DialogFooter>
        <Button disabled={busy} onClick={onUseAnother}>
          Use another card
        </Button>
        <Button variant="primary" pending={busy} onClick={onPay}>
          {busy ? 'Processing...' : `Pay with card ending ${last4}`}
        </Button>
      </DialogFooter>
    </>
  );
}
