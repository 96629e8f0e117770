import type { VirtualAccount } from '@nephos/contracts';
import { getRouteApi } from '@tanstack/react-router';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { formatCents } from '../../lib/money.ts';
import { trpc } from '../../lib/trpc.ts';
import { BackLink } from '../../shell/back-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { useWindowTitle } from '../../ui/use-window-title.ts';
import { AccountNumber, TestFunds } from './account-marks.tsx';
import { AccountMenu } from './account-menu.tsx';
import { useMoneyChanges } from './money-queries.ts';
import { ReceiveButton, SendButton } from './payment-buttons.tsx';
import { StatementSection } from './statement-section.tsx';

const route = getRouteApi('/_console/payment-gateway/accounts/$accountId');

export function AccountPage() {
  const { accountId } = route.useParams();
  const [account] = trpc.paymentGateway.virtualAccount.useSuspenseQuery({ id: accountId });
  useMoneyChanges([account]);
  return (
    <>
      <BackLink to="/payment-gateway">Payment Gateway</BackLink>
      <AccountHeader account={account} />
      {account.closedAt === null && <AccountBalance account={account} />}
      <StatementSection account={account} />
    </>
  );
}

function AccountHeader({ account }: { account: VirtualAccount }) {
  const { id, accountName, bankName, accountNumber, currency, holdsTestFunds, createdAt, closedAt } = account;
  useWindowTitle(accountName);
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 grow basis-80">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="min-w-0 break-words font-semibold text-2xl tracking-tight">{accountName}</h1>
          {closedAt !== null && <Badge>Closed</Badge>}
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
            Created <Ago instant={createdAt} />
          </li>
          {closedAt !== null && (
            <li>
              Closed <Ago instant={closedAt} />
            </li>
          )}
        </ul>
      </div>
      {closedAt === null && (
        <div className="flex flex-wrap items-center gap-2">
          <AccountMenu account={account} />
          <ReceiveButton account={account} />
          <SendButton from={id} label={`Send from ${accountName}`} variant="primary" />
        </div>
      )}
    </header>
  );
}

function Ago({ instant }: { instant: string }) {
  return (
    <time dateTime={instant} title={formatInstant(instant)}>
      {formatAgo(instant)}
    </time>
  );
}

interface Figure {
  term: string;
  /** What it means. */
  note: string;
  cents: number;
}

/** What can be sent, what is on its way, and both together. A figure that needs more room takes a row of its own. */
function AccountBalance({ account: { balance, pending } }: { account: VirtualAccount }) {
  const figures: Figure[] = [
    { term: 'Available', note: 'Ready to send', cents: balance },
    { term: 'Held', note: 'In transit to other banks', cents: pending },
    { term: 'Total', note: 'Available and held', cents: balance + pending },
  ];
  return (
    <dl className="mb-8 flex flex-wrap gap-4 max-sm:[&>:first-child]:basis-full">
      {figures.map(({ term, note, cents }) => (
        <Card key={term} className="grow basis-36 px-5 py-4">
          <dt className="text-muted text-sm">{term}</dt>
          <dd className="mt-1 whitespace-nowrap font-semibold text-xl tracking-tight">
            {formatCents(cents)}
          </dd>
          <dd className="mt-0.5 text-faint text-sm">{note}</dd>
        </Card>
      ))}
    </dl>
  );
}
