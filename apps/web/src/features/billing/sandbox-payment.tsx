import type { PaymentProviderInfo, SandboxOutcome } from '@nephos/contracts';
import { useEffect, useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { trpc } from '../../trpc.ts';
import { BankStep } from './bank-step.tsx';
import type { PaymentForm } from './payment-form.ts';
import { sayDeclined } from './payment-toasts.ts';
import { SandboxForm } from './sandbox-form.tsx';
import { PAYMENT_FAILURE } from './use-subscribe.ts';

export interface SandboxPaymentProps extends PaymentForm {
  testCards: PaymentProviderInfo['testCards'];
}

/** A payment by test card, with the bank's question where that card's bank asks one. */
export function SandboxPayment({ tier, payment, busy, onPaying, onPaid, testCards }: SandboxPaymentProps) {
  const { client } = trpc.useUtils();
  const [asking, setAsking] = useState(false);
  const [declined, setDeclined] = useState<string>();
  const { clientSecret } = payment;

  function settle({ status, paymentIntentId, message }: SandboxOutcome) {
    setAsking(status === 'requires_action');
    if (status === 'succeeded') onPaid(paymentIntentId);
    if (status !== 'requires_payment_method') return;
    setDeclined(message);
    sayDeclined(message);
  }

  const options = { failure: PAYMENT_FAILURE, serverSpeaks: true, onDone: settle };
  const confirm = useAction(useOnce(client.billing.confirmSandboxPayment.mutate), options);
  const answer = useAction(useOnce(client.billing.authenticateSandboxPayment.mutate), options);
  const paying = confirm.pending || answer.pending;
  useEffect(() => onPaying(paying), [paying, onPaying]);

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
      refusal={declined ?? confirm.refusal}
      onSubmit={(card) => {
        setDeclined(undefined);
        confirm.run({ clientSecret, ...card });
      }}
    />
  );
}
