import type { Beneficiary } from '@nephos/contracts';
import { useState } from 'react';
import { parseCents } from '../../lib/money.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useOnce } from '../../lib/use-once.ts';
import { trpc } from '../../trpc.ts';
import { isPayable, NEW_PAYMENT, type PaymentDraft } from './payment-draft.ts';
import { PaymentFields } from './payment-fields.tsx';
import { PaymentFormEnd } from './payment-form-end.tsx';
import { RailNote } from './rail-note.tsx';
import { SendEnds } from './send-ends.tsx';
import { SendSummary } from './send-summary.tsx';
import { useMoneyQueries } from './use-money-queries.ts';
import { usePaymentSubmit } from './use-payment-submit.ts';

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

function useSend(onDone: () => void) {
  const { client } = trpc.useUtils();
  const sending = useOnce(client.paymentGateway.send.mutate);
  const send = useAction(sending, {
    success: 'Payment sent successfully!',
    failure: 'Failed to send payment',
    serverSpeaks: true,
    refresh: useMoneyQueries(),
    onDone,
  });
  return { send, uncertain: sending.uncertain };
}

/** Mounted with the dialog, so that each opening starts anew. */
export function SendForm({ from, to, onDone }: SendFormProps) {
  const [accounts] = trpc.paymentGateway.virtualAccounts.useSuspenseQuery();
  const [accountId, setAccountId] = useState(from ?? accounts[0]?.id ?? '');
  const draft = useDraft(draftFor(to));
  const { values, set } = draft;
  const { send, uncertain } = useSend(onDone);
  const { complete, submit, errors } = usePaymentSubmit(values, send, () => inputOf(accountId, values));
  const account = accounts.find(({ id }) => id === accountId);

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {/* What is repeated to be safe has to be the same. */}
      <fieldset disabled={send.pending || uncertain} className="contents">
        <SendEnds
          accounts={accounts}
          from={accountId}
          onFromChange={setAccountId}
          draft={draft}
          error={errors.virtualAccountId}
        />
        <PaymentFields end="receiver" draft={draft} account={account} errors={errors} />
        <RailNote onPick={(number) => set('accountNumber', number)} />
      </fieldset>
      {/* What is available may already be less by this payment. */}
      {account && isPayable(values) && !uncertain && <SendSummary account={account} draft={values} />}
      <PaymentFormEnd
        label="Send Payment"
        disabled={!complete || !account}
        action={send}
        uncertain={uncertain}
      />
    </form>
  );
}
