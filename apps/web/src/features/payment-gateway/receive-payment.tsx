import type { VirtualAccount } from '@nephos/contracts';
import { parseCents } from '../../lib/money.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useOnce } from '../../lib/use-once.ts';
import { Notice } from '../../ui/notice.tsx';
import { useMoneyQueries } from './money-queries.ts';
import { NEW_PAYMENT, type PaymentDraft, usePaymentSubmit } from './payment-draft.ts';
import { PaymentDialog, PaymentFields } from './payment-fields.tsx';

interface ReceiveDialogProps {
  account: VirtualAccount;
  onClose: () => void;
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

/** The form that brings money in. */
export function ReceiveDialog({ account, onClose }: ReceiveDialogProps) {
  const { client } = trpc.useUtils();
  const { data: rail } = trpc.paymentGateway.rail.useQuery();
  const draft = useDraft(NEW_PAYMENT);
  const receiving = useOnce(client.paymentGateway.receive.mutate);
  const receive = useAction(receiving, {
    success: 'Payment received successfully!',
    failure: 'Failed to receive payment',
    refresh: useMoneyQueries(),
    leave: onClose,
  });
  const { complete, submit, errors } = usePaymentSubmit(draft.values, receive, () =>
    inputOf(account.id, draft.values),
  );
  return (
    <PaymentDialog
      title="Receive payment"
      description={`Into ${account.accountName}.`}
      ready={complete && rail?.sandbox !== false}
      action={receive}
      uncertain={receiving.uncertain}
      onSubmit={submit}
      onClose={onClose}
    >
      <TestMoneyNotice />
      <PaymentFields end="sender" draft={draft} account={account} errors={errors} />
    </PaymentDialog>
  );
}

/** Money cannot be fetched from another bank: what comes in this way is made up, or nothing is. */
function TestMoneyNotice() {
  const { data: rail } = trpc.paymentGateway.rail.useQuery();
  if (rail && !rail.sandbox) {
    return (
      <Notice tone="warning" title="Payments can't be received here">
        This console is connected to a real bank: money arrives when the sender sends it.
      </Notice>
    );
  }
  return (
    <Notice title="Test money only">
      The sandbox creates this payment as if the sender had sent it. The account is marked as holding test
      funds.
    </Notice>
  );
}
