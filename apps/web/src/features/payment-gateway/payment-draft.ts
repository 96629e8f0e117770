import { useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { amountProblem } from '../../lib/money.ts';
import type { Action } from '../../lib/use-action.ts';

export const NEW_PAYMENT: PaymentDraft = {
  amount: '',
  accountNumber: '',
  accountName: '',
  bankName: '',
  description: '',
};

/** Who is at the other end of a payment. */
export interface Party {
  accountNumber: string;
  accountName: string;
  bankName: string;
}

/** A payment as it is being typed. */
export interface PaymentDraft extends Party {
  /** Dollars, as typed. */
  amount: string;
  description: string;
}

/** Whether everything that a payment needs was given. */
function isComplete({ amount, accountNumber, accountName, bankName }: PaymentDraft): boolean {
  return [amount, accountNumber, accountName, bankName].every((text) => text.trim() !== '');
}

/** Whether it can be shown as what it will be: complete, with an amount that a payment can move. */
export function isPayable(draft: PaymentDraft): boolean {
  return isComplete(draft) && amountProblem(draft.amount) === undefined;
}

interface PaymentSubmit {
  /** Whether everything that the payment needs was given. */
  complete: boolean;
  /** Called when it is complete and not under way. */
  submit: () => void;
  /** What is wrong, by field of the input. */
  errors: FieldErrors;
}

/** Makes a payment of what was typed; says first what is wrong with its amount. */
export function usePaymentSubmit<Input>(
  draft: PaymentDraft,
  { run, fields }: Pick<Action<Input>, 'run' | 'fields'>,
  inputOf: () => Input,
): PaymentSubmit {
  const [tried, setTried] = useState(false);
  const complete = isComplete(draft);
  const problem = tried ? amountProblem(draft.amount) : undefined;

  function submit() {
    setTried(true);
    if (isPayable(draft)) run(inputOf());
  }

  return { complete, submit, errors: problem ? { ...fields, amount: problem } : fields };
}
