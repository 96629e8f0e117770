import type { FieldErrors } from '../../lib/errors.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import type { PaymentDraft } from './payment-draft.ts';

export interface PartyFieldsProps {
  /** At which end of the payment they are. */
  end: 'sender' | 'receiver';
  draft: Draft<PaymentDraft>;
  errors: FieldErrors;
}

/** Who is at the other end, and what the payment is for. */
export function PartyFields({ end, draft: { values, set }, errors }: PartyFieldsProps) {
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
      <div className="grid gap-4 sm:grid-cols-2">
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
