import type { PaymentProviderInfo } from '@nephos/contracts';
import { BankStep } from './bank-step.tsx';
import type { PaymentForm } from './payment-form.ts';
import { SandboxForm } from './sandbox-form.tsx';
import { useSandboxPayment } from './use-sandbox-payment.ts';

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
