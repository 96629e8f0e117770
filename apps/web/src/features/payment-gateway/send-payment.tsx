import type { Beneficiary } from '@nephos/contracts';
import { useState } from 'react';
import { parseCents } from '../../lib/money.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useMoneyQueries } from './money-queries.ts';
import { isPayable, NEW_PAYMENT, type PaymentDraft, usePaymentSubmit } from './payment-draft.ts';
import { PaymentDialog, PaymentFields } from './payment-fields.tsx';
import { RailNote } from './rail-note.tsx';
import { SendEnds } from './send-ends.tsx';
import { SendSummary } from './send-summary.tsx';

interface SendDialogProps {
  from: string | undefined;
  to: Beneficiary | undefined;
  onClose: () => void;
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

function useSend(leave: () => void) {
  const { client } = trpc.useUtils();
  const sending = useOnce(client.paymentGateway.send.mutate);
  const send = useAction(sending, {
    success: 'Payment sent successfully!',
    failure: 'Failed to send payment',
    serverSpeaks: true,
    refresh: useMoneyQueries(),
    leave,
  });
  return { send, uncertain: sending.uncertain };
}

/** The form that sends money. */
export function SendDialog({ from, to, onClose }: SendDialogProps) {
  const [accounts] = trpc.paymentGateway.virtualAccounts.useSuspenseQuery();
  const [accountId, setAccountId] = useState(from ?? accounts[0]?.id ?? '');
  const draft = useDraft(draftFor(to));
  const { values, set } = draft;
  const { send, uncertain } = useSend(onClose);
  const { complete, submit, errors } = usePaymentSubmit(values, send, () => inputOf(accountId, values));
  const account = accounts.find(({ id }) => id === accountId);

  return (
    <PaymentDialog
      title="Send payment"
      description="Instant between accounts here; other banks take longer."
      ready={complete && account !== undefined}
      action={send}
      uncertain={uncertain}
      onSubmit={submit}
      onClose={onClose}
      note={account && isPayable(values) && <SendSummary account={account} draft={values} />}
    >
      <SendEnds
        accounts={accounts}
        from={accountId}
        onFromChange={setAccountId}
        draft={draft}
        error={errors.virtualAccountId}
      />
      <PaymentFields end="receiver" draft={draft} account={account} errors={errors} />
      <RailNote onPick={(number) => set('accountNumber', number)} />
    </PaymentDialog>
  );
}
