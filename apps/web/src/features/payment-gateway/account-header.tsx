import type { VirtualAccount } from '@nephos/contracts';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { useWindowTitle } from '../../ui/use-window-title.ts';
import { AccountNumber } from './account-number.tsx';
import { ReceiveButton } from './receive-button.tsx';
import { SendButton } from './send-button.tsx';
import { TestFunds } from './test-funds.tsx';

export function AccountHeader({ account }: { account: VirtualAccount }) {
  const { id, accountName, bankName, accountNumber, currency, holdsTestFunds, createdAt } = account;
  useWindowTitle(accountName);
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 grow basis-80">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="min-w-0 break-words font-semibold text-2xl tracking-tight">{accountName}</h1>
          {holdsTestFunds && <TestFunds />}
        </div>
        <ul
          aria-label="About the account"
          className="mt-1.5 flex flex-wrap items-center gap-x-5 gap-y-1 text-muted"
        >
          <li className="min-w-0 break-words">{bankName}</li>
          <li>
            <AccountNumber number={accountNumber} of={accountName} />
          </li>
          <li>{currency}</li>
          <li>
            Created{' '}
            <time dateTime={createdAt} title={formatInstant(createdAt)}>
              {formatAgo(createdAt)}
            </time>
          </li>
        </ul>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <ReceiveButton account={account} />
        <SendButton from={id} label={`Send from ${accountName}`} variant="primary" />
      </div>
    </header>
  );
}
