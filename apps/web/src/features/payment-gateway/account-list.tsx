import type { VirtualAccount } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { Landmark } from 'lucide-react';
import type { Creation } from '../../lib/creation.ts';
import { formatCents } from '../../lib/money.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AccountNumber, TestFunds } from './account-marks.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ReceiveButton, SendButton } from './payment-buttons.tsx';

export interface AccountListProps extends Pick<Creation, 'opener'> {
  accounts: readonly VirtualAccount[];
}

export function AccountList({ accounts, opener }: AccountListProps) {
  if (accounts.length === 0) {
    return (
      <EmptyState
        icon={Landmark}
        title="No virtual accounts yet. Create one to get started!"
        description="Each account has its own number and a balance that changes when you send or receive payments."
        action={<Button {...opener}>Create your first account</Button>}
      />
    );
  }
  return (
    <ul aria-label="Virtual accounts" className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-3">
      {accounts.map((account) => (
        <li key={account.id} className="min-w-0">
          <AccountCard account={account} />
        </li>
      ))}
    </ul>
  );
}

function AccountCard({ account }: { account: VirtualAccount }) {
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
        aside={
          <span className="flex items-center gap-1">
            {holdsTestFunds && <TestFunds />}
            <AccountMenu account={account} size="sm" />
          </span>
        }
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
