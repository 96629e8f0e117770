import type { PaymentProviderInfo, SandboxOutcome } from '@nephos/contracts';
import { useEffect, useState } from 'react';
import { trpc } from '../../../lib/trpc.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useOnce } from '../../../lib/use-once.ts';
import type { PaymentForm } from './payment-form.tsx';
import { PAYMENT_FAILURE, sayDeclined } from './payment-outcome.ts';
import { BankStep } from './sandbox-bank.tsx';
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
