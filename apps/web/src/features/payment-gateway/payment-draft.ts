import { amountProblem } from '../../lib/money.ts';

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

export const NEW_PAYMENT: PaymentDraft = {
  amount: '',
  accountNumber: '',
  accountName: '',
  bankName: '',
  description: '',
};

/** Whether everything that a payment needs was given (specification §5). */
export function isComplete({ amount, accountNumber, accountName, bankName }: PaymentDraft): boolean {
  return [amount, accountNumber, accountName, bankName].every((text) => text.trim() !== '');
}

/** Whether it can be shown as what it will be: complete, with an amount that a payment can move. */
export function isPayable(draft: PaymentDraft): boolean {
  return isComplete(draft) && amountProblem(draft.amount) === undefined;
}
