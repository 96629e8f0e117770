import type { PaymentProviderInfo, SandboxOutcome } from '@nephos/contracts';
import { PLANS, type PlanTier } from '@nephos/contracts/constants';
import { Landmark } from 'lucide-react';
import { useEffect, useState } from 'react';
import { trpc } from '../../../lib/trpc.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useOnce } from '../../../lib/use-once.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogFooter } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type PaymentForm, priceOf } from './payment-form.tsx';
import { PAYMENT_FAILURE, sayDeclined } from './payment-outcome.ts';
import { SandboxForm } from './sandbox-form.tsx';

export interface SandboxPaymentProps extends PaymentForm {
  testCards: PaymentProviderInfo['testCards'];
}

/** A payment by test card, with the bank's question where that card's bank asks one. */
export function SandboxPayment({ tier, payment, busy, testCards, ...events }: SandboxPaymentProps) {
  const { confirm, answer, asking, declined } = useSandboxPayment(events);
  const { clientSecret } = payment;
  if (asking) {
    return (
      <BankStep
        tier={tier}
        busy={busy}
        refusal={answer.refusal}
        onAnswer={(approve) => answer.run({ clientSecret, approve })}
      />
    );
  }
  return (
    <SandboxForm
      testCards={testCards}
      busy={busy}
      errors={confirm.fields}
      refusal={confirm.refusal ?? (declined || undefined)}
      onSubmit={(card) => confirm.run({ clientSecret, ...card })}
    />
  );
}

/** A payment in the sandbox: the card, and the answer to its bank's question. */
function useSandboxPayment({ onPaying, onPaid }: Pick<PaymentForm, 'onPaying' | 'onPaid'>) {
  const { client } = trpc.useUtils();
  const [outcome, setOutcome] = useState<SandboxOutcome>();

  function settle(settled: SandboxOutcome) {
    setOutcome(settled);
    if (settled.status === 'succeeded') onPaid(settled.paymentIntentId);
    if (settled.status === 'requires_payment_method') sayDeclined(settled.message);
  }

  const options = { failure: PAYMENT_FAILURE, serverSpeaks: true, onDone: settle };
  const confirm = useAction(useOnce(client.billing.confirmSandboxPayment.mutate), options);
  const answer = useAction(useOnce(client.billing.authenticateSandboxPayment.mutate), options);
  const paying = confirm.pending || answer.pending;
  useEffect(() => {
    onPaying(paying);
  }, [paying, onPaying]);

  return {
    confirm,
    answer,
    /** Whether the bank waits for an answer. */
    asking: outcome?.status === 'requires_action',
    /** Why the card was declined; '' where it was not. */
    declined: outcome?.status === 'requires_payment_method' ? outcome.message : '',
  };
}

interface BankStepProps {
  tier: PlanTier;
  busy: boolean;
  refusal: string | undefined;
  onAnswer: (approve: boolean) => void;
}

/** The sandbox bank's question whether it is the card's owner who pays. */
function BankStep({ tier, busy, refusal, onAnswer }: BankStepProps) {
  return (
    <section aria-labelledby="bank-question">
      <div className="rounded-xl border border-line bg-sunken p-5">
        <Landmark aria-hidden="true" className="size-5 text-muted" />
        <h3 id="bank-question" className="mt-3 font-semibold text-lg">
          Your bank wants to confirm this payment
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
