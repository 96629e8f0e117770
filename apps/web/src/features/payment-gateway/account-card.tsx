import type { VirtualAccount } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { formatCents } from '../../lib/money.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { AccountNumber } from './account-number.tsx';
import { ReceiveButton } from './receive-button.tsx';
import { SendButton } from './send-button.tsx';
import { TestFunds } from './test-funds.tsx';

export function AccountCard({ account }: { account: VirtualAccount }) {
  const { id, accountName, bankName, accountNumber, balance, pending, holdsTestFunds } = account;
  return (
    <Card className="flex h-full min-h-64 flex-col">
      <CardHeader
        title={
          <Link
            to="/payment-gateway/accounts/$accountId"
            params={{ accountId: id }}
            title={accountName}
            className="rounded-sm underline-offset-4 hover:underline"
          >
            {accountName}
          </Link>
        }
        description={
          <span title={bankName} className="line-clamp-2">
            {bankName}
          </span>
        }
        aside={holdsTestFunds && <TestFunds />}
      />
      <div className="mt-1">
        <AccountNumber number={accountNumber} of={accountName} />
      </div>
      <dl className="mt-4">
        <dt className="text-faint text-sm">Available</dt>
        <dd className="mt-0.5 break-all font-semibold text-2xl tracking-tight">{formatCents(balance)}</dd>
        <div className="mt-1 flex gap-1.5 text-muted text-sm">
          <dt>Held</dt>
          <dd>{formatCents(pending)}</dd>
        </div>
      </dl>
      <div className="mt-auto flex flex-wrap gap-2 pt-5">
        <SendButton from={id} label={`Send from ${accountName}`} size="sm" />
        <ReceiveButton account={account} size="sm" />
      </div>
    </Card>
  );
}
