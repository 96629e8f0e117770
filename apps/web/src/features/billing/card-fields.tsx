import type { FieldErrors } from '../../lib/errors.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';

export interface CardDraft {
  cardNumber: string;
  /** Month and year. */
  expiry: string;
  cvc: string;
}

export interface CardFieldsProps {
  draft: Draft<CardDraft>;
  errors: FieldErrors;
}

/** Of a test card. Browsers are asked to fill in none that they keep: a real one has no business here. */
export function CardFields({ draft: { values, set }, errors }: CardFieldsProps) {
  return (
    <>
      <Field label="Card number" required error={errors.cardNumber}>
        <PlainInput
          inputMode="numeric"
          placeholder="4242 4242 4242 4242"
          value={values.cardNumber}
          onChange={(event) => set('cardNumber', event.target.value)}
        />
      </Field>
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label="Expiry" required error={errors.expiry ?? errors.expiryMonth ?? errors.expiryYear}>
          <PlainInput
            placeholder="MM / YY"
            value={values.expiry}
            onChange={(event) => set('expiry', event.target.value)}
          />
        </Field>
        <Field label="Security code" required error={errors.cvc}>
          <PlainInput
            inputMode="numeric"
            placeholder="CVC"
            value={values.cvc}
            onChange={(event) => set('cvc', event.target.value)}
          />
        </Field>
      </div>
    </>
  );
}
