import type { VirtualAccount } from '@nephos/contracts';
import type { ReactNode } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { formatCents, parseCents } from '../../lib/money.ts';
import type { Draft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog, type FormDialogProps } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';
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
          hint={account && <Available {...account} sent={end === 'receiver' ? values.amount : ''} />}
          error={errors.amount}
        />
        <PartyFields end={end} draft={draft} errors={errors} />
      </div>
      <Field label="Description" error={errors.description}>
        <Input
          value={values.description}
          onChange={(event) => set('description', event.target.value)}
          placeholder="Optional"
          autoComplete="off"
        />
      </Field>
    </>
  );
}

/** What there is, and while more than that is typed, what it lacks. It can be sent all the same: money may arrive first. */
function Available({ balance, sent }: { balance: number /** Dollars, as typed. */; sent: string }) {
  const lacking = (parseCents(sent) ?? 0) - balance;
  return (
    <>
      {`Available: ${formatCents(balance)}`}
      <span role="status" className="text-warning">
        {lacking > 0 && `. You're ${formatCents(lacking)} short.`}
      </span>
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

interface AmountFieldProps {
  /** Dollars, as typed. */
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  error: string | undefined;
}

function AmountField({ value, onChange, hint, error }: AmountFieldProps) {
  return (
    <Field label="Amount (USD)" required hint={hint} error={error}>
      <Input
        type="number"
        inputMode="decimal"
        step="0.01"
        min="0.01"
        placeholder="0.00"
        autoComplete="off"
        className="tabular-nums [appearance:textfield] [&::-webkit-inner-spin-button]:hidden [&::-webkit-outer-spin-button]:hidden"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        // The wheel would change an amount unseen, while it only scrolls the dialog.
        onWheel={(event) => event.currentTarget.blur()}
      />
    </Field>
  );
}

export interface PaymentDialogProps
  extends Pick<FormDialogProps, 'description' | 'ready' | 'action' | 'onSubmit' | 'onClose'> {
  /** Stands above the form, and on the button that makes the payment. */
  title: string;
  /** Whether no answer told what became of the last attempt. */
  uncertain: boolean;
  /** What describes the payment. */
  children: ReactNode;
  /** What is said below that; left out while it is uncertain, since it may have happened already. */
  note?: ReactNode;
}

/** The form of a payment. One whose answer was lost can be tried again as it is, and is made once. */
export function PaymentDialog({ title, action, uncertain, children, note, ...rest }: PaymentDialogProps) {
  const { pending, refusal } = action;
  return (
    <FormDialog
      {...rest}
      title={title}
      label={uncertain ? 'Try again' : title}
      action={{ pending, refusal: uncertain ? undefined : refusal }}
    >
      {/* What is repeated to be safe has to be the same. */}
      <fieldset disabled={pending || uncertain} className="contents">
        {children}
      </fieldset>
      {uncertain ? (
        <Notice tone="warning" title="We don't know if this payment went through">
          The server didn't answer. It's safe to try again: the payment is made only once. If you close this,
          check your transactions before you pay again.
        </Notice>
      ) : (
        note
      )}
    </FormDialog>
  );
}
