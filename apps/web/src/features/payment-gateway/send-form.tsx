import type { Beneficiary, VirtualAccount } from '@nephos/contracts';
import { type FormEvent, useState } from 'react';
import { amountProblem, formatCents, parseCents } from '../../lib/money.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useOnce } from '../../lib/use-once.ts';
import { trpc } from '../../trpc.ts';
import { Field } from '../../ui/field.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { Select } from '../../ui/select.tsx';
import { isComplete, isPayable, NEW_PAYMENT, type PaymentDraft } from './payment-draft.ts';
import { PaymentFields } from './payment-fields.tsx';
import { RailNote } from './rail-note.tsx';
import { ReceiverPicker } from './receiver-picker.tsx';
import { SendSummary } from './send-summary.tsx';
import { UncertainNotice } from './uncertain-notice.tsx';
import { useMoneyQueries } from './use-money-queries.ts';

export interface SendFormProps {
  from: string | undefined;
  to: Beneficiary | undefined;
  onDone: () => void;
}

function draftFor(to: Beneficiary | undefined): PaymentDraft {
  if (!to) return NEW_PAYMENT;
  const { accountNumber, accountName, bankName } = to;
  return { ...NEW_PAYMENT, accountNumber, accountName, bankName };
}

/** The call's input; its amount is one that a payment can move. */
function inputOf(virtualAccountId: string, draft: PaymentDraft) {
  return {
    virtualAccountId,
    amount: parseCents(draft.amount) ?? 0,
    receiverAccountNumber: draft.accountNumber,
    receiverAccountName: draft.accountName,
    receiverBankName: draft.bankName,
    description: draft.description,
  };
}

/** Mounted with the dialog, so that each opening starts anew. */
export function SendForm({ from, to, onDone }: SendFormProps) {
  const { client } = trpc.useUtils();
  const [accounts] = trpc.paymentGateway.virtualAccounts.useSuspenseQuery();
  const [accountId, setAccountId] = useState(from ?? accounts[0]?.id ?? '');
  const draft = useDraft(draftFor(to));
  const [tried, setTried] = useState(false);
  const sending = useOnce(client.paymentGateway.send.mutate);
  const send = useAction(sending, {
    success: 'Payment sent successfully!',
    failure: 'Failed to send payment',
    serverSpeaks: true,
    refresh: useMoneyQueries(),
    onDone,
  });
  const { values, set } = draft;
  const account = accounts.find(({ id }) => id === accountId);
  const complete = isComplete(values) && account !== undefined;
  const payable = isPayable(values);
  const problem = tried ? amountProblem(values.amount) : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!complete || send.pending) return;
    setTried(true);
    if (payable) send.run(inputOf(accountId, values));
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {/* What is repeated to be safe has to be the same. */}
      <fieldset disabled={send.pending || sending.uncertain} className="contents">
        <div className="grid gap-4 sm:auto-cols-fr sm:grid-flow-col">
          <Field label="From" error={send.fields.virtualAccountId}>
            <Select value={accountId} onValueChange={setAccountId} options={accounts.map(optionOf)} />
          </Field>
          <ReceiverPicker
            accounts={accounts.filter(({ id }) => id !== accountId)}
            receiver={values}
            onPick={(receiver) => {
              set('accountNumber', receiver.accountNumber);
              set('accountName', receiver.accountName);
              set('bankName', receiver.bankName);
            }}
          />
        </div>
        <PaymentFields
          end="receiver"
          draft={draft}
          available={account && `Available: ${formatCents(account.balance)}`}
          errors={problem ? { ...send.fields, amount: problem } : send.fields}
        />
        <RailNote onPick={(number) => set('accountNumber', number)} />
      </fieldset>
      {/* What is available may already be less by this payment. */}
      {account && payable && !sending.uncertain && <SendSummary account={account} draft={values} />}
      {sending.uncertain && <UncertainNotice />}
      <FormEnd
        label={sending.uncertain ? 'Try again' : 'Send Payment'}
        disabled={!complete}
        pending={send.pending}
        refusal={sending.uncertain ? undefined : send.refusal}
      />
    </form>
  );
}

function optionOf({ id, accountName, balance }: VirtualAccount) {
  return { value: id, label: `${accountName} · ${formatCents(balance)}` };
}
