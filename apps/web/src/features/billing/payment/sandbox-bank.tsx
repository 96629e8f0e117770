import { PLANS, type PlanTier } from '@nephos/contracts/constants';
import { Landmark } from 'lucide-react';
import { useEffect } from 'react';
import { trpc } from '../../../lib/trpc.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useOnce } from '../../../lib/use-once.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogFooter } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type PaymentForm, priceOf } from './payment-form.tsx';
import { PAYMENT_FAILURE, sayDeclined } from './payment-outcome.ts';

interface SandboxBankProps extends PaymentForm {
  /** The payment was denied, and why it came to nothing. */
  onDenied: (message: string) => void;
}

/** What the sandbox's bank asks of a payment, and what its answer makes of it. */
export function SandboxBank({ tier, payment, busy, onPaying, onPaid, onDenied }: SandboxBankProps) {
  const { client } = trpc.useUtils();
  const answer = useAction(useOnce(client.billing.authenticateSandboxPayment.mutate), {
    failure: PAYMENT_FAILURE,
    serverSpeaks: true,
    onDone({ status, paymentIntentId, message }) {
      if (status === 'succeeded') return onPaid(paymentIntentId);
      sayDeclined(message);
      onDenied(message);
    },
  });
  useEffect(() => {
    onPaying(answer.pending);
  }, [answer.pending, onPaying]);
  return (
    <BankStep
      tier={tier}
      busy={busy}
      refusal={answer.refusal}
      onAnswer={(approve) => answer.run({ clientSecret: payment.clientSecret, approve })}
    />
  );
}

export interface BankStepProps {
  tier: PlanTier;
  busy: boolean;
  refusal: string | undefined;
  onAnswer: (approve: boolean) => void;
}

/** The sandbox bank's question whether it is the card's owner who pays. */
export function BankStep({ tier, busy, refusal, onAnswer }: BankStepProps) {
  return (
    <section aria-labelledby="bank-question">
      <div className="rounded-xl border border-line bg-sunken p-5">
        <Landmark aria-hidden="true" className="size-5 text-muted" />
        <h3 id="bank-question" className="mt-3 font-semibold text-lg">
          Your bank asks you to confirm this payment
        </h3>
        <p className="mt-1 text-muted">
          {priceOf(tier)} to Nephos for the {PLANS[tier].name} plan. This is the sandbox's test bank: approve
          or deny the payment as the cardholder would.
        </p>
      </div>
      {refusal && <Notice tone="danger" title={refusal} className="mt-4" />}
      <DialogFooter>
        <Button disabled={busy} onClick={() => onAnswer(false)}>
          Deny
        </Button>
        <Button variant="primary" pending={busy} onClick={() => onAnswer(true)}>
          {busy ? 'Processing...' : 'Approve'}
        </Button>
      </DialogFooter>
    </section>
  );
}
