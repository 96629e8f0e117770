import type { PaymentProviderInfo } from '@nephos/contracts';
import { type FormEvent, useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
import { type CardExpiry, parseExpiry } from './card-expiry.ts';
import { PaymentEnd } from './payment-end.tsx';
import { grouped, TestCards } from './test-cards.tsx';

const DEFAULTS = { cardNumber: '', expiry: '', cvc: '' };
/** What every test card is good for. */
const VALID = { expiry: '12 / 34', cvc: '123' };

interface CardInput extends CardExpiry {
  cardNumber: string;
  cvc: string;
}

export interface SandboxFormProps {
  testCards: PaymentProviderInfo['testCards'];
  busy: boolean;
  errors: FieldErrors;
  refusal: string | undefined;
  onSubmit: (card: CardInput) => void;
}

/** The form of a test card. Browsers are asked to fill in none that they keep: a real one has no business here. */
export function SandboxForm({ testCards, busy, errors, refusal, onSubmit }: SandboxFormProps) {
  const { values, set } = useDraft(DEFAULTS);
  const [tried, setTried] = useState(false);
  const complete = Object.values(values).every((text) => text.trim() !== '');
  const expiry = parseExpiry(values.expiry);
  const expiryError = tried && !expiry ? 'Enter the month and the year, like 12 / 34.' : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!complete || busy) return;
    setTried(true);
    if (expiry) onSubmit({ cardNumber: values.cardNumber, cvc: values.cvc.trim(), ...expiry });
  }

  function fill(number: string) {
    set('cardNumber', grouped(number));
    set('expiry', VALID.expiry);
    set('cvc', VALID.cvc);
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <TestCards cards={testCards} disabled={busy} onPick={fill} />
      <fieldset disabled={busy} className="contents">
        <Field label="Card number" required error={errors.cardNumber}>
          <PlainInput
            inputMode="numeric"
            placeholder="4242 4242 4242 4242"
            value={values.cardNumber}
            onChange={(event) => set('cardNumber', event.target.value)}
          />
        </Field>
        <div className="grid grid-cols-2 items-start gap-4">
          <Field label="Expiry" required error={expiryError ?? errors.expiryMonth ?? errors.expiryYear}>
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
      </fieldset>
      <PaymentEnd disabled={!complete} busy={busy} refusal={refusal} />
    </form>
  );
}
