import { type FormEvent, useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { amountProblem } from '../../lib/money.ts';
import type { Action } from '../../lib/use-action.ts';
import { isComplete, isPayable, type PaymentDraft } from './payment-draft.ts';

export interface PaymentSubmit {
  /** Whether everything that the payment needs was given. */
  complete: boolean;
  submit: (event: FormEvent) => void;
  /** What is wrong, by field of the input. */
  errors: FieldErrors;
}

/** Makes a payment of what was typed; says first what is wrong with its amount. */
export function usePaymentSubmit<Input>(
  draft: PaymentDraft,
  { run, pending, fields }: Action<Input>,
  inputOf: () => Input,
): PaymentSubmit {
  const [tried, setTried] = useState(false);
  const complete = isComplete(draft);
  const problem = tried ? amountProblem(draft.amount) : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!complete || pending) return;
    setTried(true);
    if (isPayable(draft)) run(inputOf());
  }

  return { complete, submit, errors: problem ? { ...fields, amount: problem } : fields };
}
