import type { SandboxOutcome } from '@nephos/contracts';
import { useEffect, useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { trpc } from '../../trpc.ts';
import type { PaymentForm } from './payment-form.ts';
import { PAYMENT_FAILURE, sayDeclined } from './payment-toasts.ts';

/** A payment in the sandbox: the card, and the answer to its bank's question. */
export function useSandboxPayment({ onPaying, onPaid }: Pick<PaymentForm, 'onPaying' | 'onPaid'>) {
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
