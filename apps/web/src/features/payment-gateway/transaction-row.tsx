import type { GatewayTransaction, VirtualAccount } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { memo } from 'react';
import { formatInstant } from '../../lib/format.ts';
import { formatSigned } from '../../lib/money.ts';
import { StatusBadge } from '../../lib/status-badge.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useMoneyQueries } from './money-queries.ts';

export interface TransactionRowProps {
  transaction: GatewayTransaction;
  /** The person's own account that it belongs to; undefined where that is closed. */
  account: VirtualAccount | undefined;
}

function partyOf({ type, ...transaction }: GatewayTransaction): string {
  return type === 'send'
    ? `To: ${transaction.receiverAccountName} (${transaction.receiverBankName})`
    : `From: ${transaction.senderAccountName} (${transaction.senderBankName})`;
}

/** Memoised: there may be thousands, and each change fetches all that are shown. */
export const TransactionRow = memo(function TransactionRow({ transaction, account }: TransactionRowProps) {
  const { type, status, reference, description, failure } = transaction;
  const sent = type === 'send';
  return (
    <li className="flex gap-3 px-4 py-4 sm:gap-4">
      <DirectionIcon sent={sent} />
      <div className="flex min-w-0 grow flex-wrap justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 grow basis-64">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <p className="min-w-0 break-words font-medium">{partyOf(transaction)}</p>
            <span className="flex gap-1.5">
              <Badge>{sent ? 'Sent' : 'Received'}</Badge>
              <StatusBadge status={status} />
            </span>
          </div>
          {description && <p className="mt-1 break-words text-muted">{description}</p>}
          {failure && <p className="mt-1 break-words text-danger">{failure}</p>}
          <p className="mt-1 flex flex-wrap gap-x-3 text-faint text-sm">
            <span className="break-all">{`Ref: ${reference}`}</span>
            <AccountLink transaction={transaction} account={account} />
          </p>
        </div>
        <Amount transaction={transaction} />
      </div>
    </li>
  );
});

/** How much and when; struck through where it did not come to that. */
function Amount({ transaction }: { transaction: GatewayTransaction }) {
  const { type, status, amount, createdAt } = transaction;
  const sent = type === 'send';
  const undone = status === 'failed' || status === 'cancelled';
  return (
    <div className="flex flex-col gap-1 sm:items-end">
      <p
        className={classNames(
          'font-semibold text-lg tabular-nums',
          undone && 'text-faint line-through decoration-1',
        )}
      >
        {formatSigned(sent ? -amount : amount)}
      </p>
      <time dateTime={createdAt} className="text-faint text-sm">
        {formatInstant(createdAt)}
      </time>
      {sent && status === 'pending' && <CancelPayment payment={transaction} />}
    </div>
  );
}

/** By its present name; of a closed account, by the one that the payment was made under. */
function AccountLink({ transaction, account }: TransactionRowProps) {
  const { type, virtualAccountId, senderAccountName, receiverAccountName } = transaction;
  const nameThen = type === 'send' ? senderAccountName : receiverAccountName;
  return (
    <Link
      to="/payment-gateway/accounts/$accountId"
      params={{ accountId: virtualAccountId }}
      className="min-w-0 truncate rounded-sm underline-offset-4 hover:text-fg hover:underline"
    >
      {account?.accountName ?? nameThen}
    </Link>
  );
}

/** Which way money went; decoration beside words that say it. */
function DirectionIcon({ sent }: { sent: boolean }) {
  const Icon = sent ? ArrowUpRight : ArrowDownLeft;
  return (
    <span className="flex size-9 shrink-0 items-center justify-center rounded-full border border-line bg-sunken text-muted">
      <Icon aria-hidden="true" className="size-4" />
    </span>
  );
}

/** Takes back a payment that has not left yet. Not confirmed: nothing is lost by it, and it can be too late in seconds. */
function CancelPayment({ payment: { id, reference } }: { payment: GatewayTransaction }) {
  const cancel = useAction(trpc.paymentGateway.cancel.useMutation(), {
    success: 'Payment cancelled',
    failure: 'Failed to cancel payment',
    serverSpeaks: true,
    refresh: useMoneyQueries(),
  });
  return (
    <Button
      size="sm"
      className="mt-1 max-sm:self-start"
      aria-label={`Cancel ${reference}`}
      {...cancel.button}
      onClick={() => cancel.run({ id })}
    >
      Cancel
    </Button>
  );
}
