import type { PaymentProviderInfo } from '@nephos/contracts';
import { type FormEvent, useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { type CardExpiry, parseExpiry } from './card-expiry.ts';
import { CardFields } from './card-fields.tsx';
import { PaymentEnd } from './payment-end.tsx';
import { grouped, TestCards } from './test-cards.tsx';

const DEFAULTS = { cardNumber: '', expiry: '', cvc: '' };
/** What every test card is good for. */
const VALID = { expiry: '12 / 34', cvc: '123' };
const NO_EXPIRY = { expiry: 'Enter the month and the year, like 12 / 34.' };

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

/** The sandbox's card form: a test card is typed, or filled in at a click. */
export function SandboxForm({ testCards, busy, errors, refusal, onSubmit }: SandboxFormProps) {
  const draft = useDraft(DEFAULTS);
  const { values, set } = draft;
  const [tried, setTried] = useState(false);
  const complete = Object.values(values).every((text) => text.trim() !== '');
  const expiry = parseExpiry(values.expiry);

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
        <CardFields draft={draft} errors={tried && !expiry ? { ...errors, ...NO_EXPIRY } : errors} />
      </fieldset>
      <PaymentEnd disabled={!complete} busy={busy} refusal={refusal} />
    </form>
  );
}
