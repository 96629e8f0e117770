import type { VirtualAccount } from '@nephos/contracts';
import { parseCents } from '../../lib/money.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useOnce } from '../../lib/use-once.ts';
import { trpc } from '../../trpc.ts';
import { Notice } from '../../ui/notice.tsx';
import { NEW_PAYMENT, type PaymentDraft } from './payment-draft.ts';
import { PaymentFields } from './payment-fields.tsx';
import { PaymentFormEnd } from './payment-form-end.tsx';
import { useMoneyQueries } from './use-money-queries.ts';
import { usePaymentSubmit } from './use-payment-submit.ts';

export interface ReceiveFormProps {
  account: VirtualAccount;
  onDone: () => void;
}

/** The call's input; its amount is one that a payment can move. */
function inputOf(virtualAccountId: string, draft: PaymentDraft) {
  return {
    virtualAccountId,
    amount: parseCents(draft.amount) ?? 0,
    senderAccountNumber: draft.accountNumber,
    senderAccountName: draft.accountName,
    senderBankName: draft.bankName,
    description: draft.description,
  };
}

/** Mounted with the dialog, so that each opening starts anew. */
export function ReceiveForm({ account, onDone }: ReceiveFormProps) {
  const { client } = trpc.useUtils();
  const draft = useDraft(NEW_PAYMENT);
  const receiving = useOnce(client.paymentGateway.receive.mutate);
  const receive = useAction(receiving, {
    success: 'Payment received successfully!',
    failure: 'Failed to receive payment',
    refresh: useMoneyQueries(),
    onDone,
  });
  const { complete, submit, errors } = usePaymentSubmit(draft.values, receive, () =>
    inputOf(account.id, draft.values),
  );
  const { uncertain } = receiving;

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <TestMoneyNotice />
      {/* What is repeated to be safe has to be the same. */}
      <fieldset disabled={receive.pending || uncertain} className="contents">
        <PaymentFields end="sender" draft={draft} account={account} errors={errors} />
      </fieldset>
      <PaymentFormEnd label="Receive Payment" disabled={!complete} action={receive} uncertain={uncertain} />
    </form>
  );
}

/** Money cannot be fetched from another bank: what comes in this way is made up, or nothing is. */
function TestMoneyNotice() {
  const { data: rail } = trpc.paymentGateway.rail.useQuery();
  if (rail && !rail.sandbox) {
    return (
      <Notice tone="warning" title="Nothing can be received this way here">
        This console is connected to a real bank rail: money arrives when its sender sends it.
      </Notice>
    );
  }
  return (
    <Notice title="This brings in test money">
      The sandbox rail makes the payment up, as if the sender had made it. The account is marked as holding
      test funds.
    </Notice>
  );
}
