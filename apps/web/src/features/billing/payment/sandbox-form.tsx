import type { PaymentProviderInfo } from '@nephos/contracts';
import { type FormEvent, useState } from 'react';
import type { FieldErrors } from '../../../lib/errors.ts';
import { type Draft, useDraft } from '../../../lib/use-draft.ts';
import { Field } from '../../../ui/field.tsx';
import { PlainInput } from '../../../ui/plain-input.tsx';
import { type CardExpiry, parseExpiry } from './card-expiry.ts';
import { PaymentEnd, TestModeNotice } from './payment-form.tsx';

const DEFAULTS = { cardNumber: '', expiry: '', cvc: '' };

/** What every test card is good for. */
const VALID = { expiry: '12 / 34', cvc: '123' };

const NO_EXPIRY = { expiry: 'Enter month and year, like 12 / 34.' };

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

/** A card's number as it is printed: in groups of four. */
function grouped(number: string): string {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

interface TestCardsProps {
  cards: PaymentProviderInfo['testCards'];
  disabled: boolean;
  onPick: (number: string) => void;
}

function TestCards({ cards, disabled, onPick }: TestCardsProps) {
  return (
    <TestModeNotice>
      Don't enter a real card. Choose a test card to fill in the form:
      <ul aria-label="Test cards" className="mt-2 -ml-2 flex max-h-44 flex-col overflow-y-auto sm:max-h-52">
        {cards.map(({ number, outcome }) => (
          <li key={number}>
            <button
              type="button"
              disabled={disabled}
              onClick={() => onPick(number)}
              className="w-full rounded-md px-2 py-1 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 disabled:opacity-55"
            >
              <code className="mr-2 text-fg text-sm">{grouped(number)}</code>
              <span className="inline-block text-faint text-sm">{outcome}</span>
            </button>
          </li>
        ))}
      </ul>
    </TestModeNotice>
  );
}

interface CardDraft {
  cardNumber: string;
  /** Month and year. */
  expiry: string;
  cvc: string;
}

interface CardFieldsProps {
  draft: Draft<CardDraft>;
  errors: FieldErrors;
}

/** What a test card has. Browsers are asked to fill in none that they keep: a real one has no business here. */
function CardFields({ draft: { values, set }, errors }: CardFieldsProps) {
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
