import type { VirtualAccount } from '@nephos/contracts';
import type { FieldErrors } from '../../lib/errors.ts';
import { formatCents } from '../../lib/money.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { AmountField } from './amount-field.tsx';
import type { PaymentDraft } from './payment-draft.ts';

export interface PaymentFieldsProps {
  /** At which end of the payment they are. */
  end: 'sender' | 'receiver';
  draft: Draft<PaymentDraft>;
  /** One's own, at this end. */
  account: VirtualAccount | undefined;
  errors: FieldErrors;
}

/** How much, who is at the other end, and what it is for. */
export function PaymentFields({ end, draft, account, errors }: PaymentFieldsProps) {
  const { values, set } = draft;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <AmountField
          value={values.amount}
          onChange={(amount) => set('amount', amount)}
          hint={account && `Available: ${formatCents(account.balance)}`}
          error={errors.amount}
        />
        <PartyFields end={end} draft={draft} errors={errors} />
      </div>
      <Field label="Description" error={errors.description}>
        <Input
          value={values.description}
          onChange={(event) => set('description', event.target.value)}
          placeholder="What it is for (optional)"
          autoComplete="off"
        />
      </Field>
    </>
  );
}

/** Whose account it is at the other end. */
function PartyFields({ end, draft: { values, set }, errors }: Omit<PaymentFieldsProps, 'account'>) {
  const title = end === 'sender' ? 'Sender' : 'Receiver';
  return (
    <>
      <Field label={`${title} account number`} required error={errors[`${end}AccountNumber`]}>
        <PlainInput
          value={values.accountNumber}
          onChange={(event) => set('accountNumber', event.target.value)}
          placeholder="0123456789"
        />
      </Field>
      <Field label={`${title} account name`} required error={errors[`${end}AccountName`]}>
        <Input
          value={values.accountName}
          onChange={(event) => set('accountName', event.target.value)}
          autoComplete="off"
        />
      </Field>
      <Field label={`${title} bank name`} required error={errors[`${end}BankName`]}>
        <Input
          value={values.bankName}
          onChange={(event) => set('bankName', event.target.value)}
          autoComplete="off"
        />
      </Field>
    </>
  );
}
