import type { TrialBalance } from '@nephos/contracts';
import { CircleCheck, Scale } from 'lucide-react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { formatCents, formatSigned } from '../../lib/money.ts';
import { trpc } from '../../lib/trpc.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FRESH } from './fresh.ts';
import { Panel, PanelSkeleton } from './panel.tsx';

const FAILURE = 'Failed to load the trial balance';

/** What the ledger of the payment gateway adds up to. */
export function LedgerTab() {
  const balance = trpc.paymentGateway.trialBalance.useQuery(undefined, FRESH);
  if (!balance.data) {
    if (balance.error) return <LoadFailure query={balance} failure={FAILURE} />;
    return <PanelSkeleton label="Loading the trial balance…" />;
  }
  return (
    <Panel
      title="Trial balance"
      about={
        <p className="text-muted">
          Double-entry bookkeeping: every payment leaves one account and enters another, so all entries add up
          to zero.
        </p>
      }
      again="Recalculate"
      query={balance}
      failure={FAILURE}
    >
      <Currencies {...balance.data} />
    </Panel>
  );
}

const COUNT = new Intl.NumberFormat('en');
const FIGURE = 'text-right tabular-nums';

type Currency = TrialBalance['currencies'][number] & { id: string };

const CURRENCY_COLUMNS: readonly Column<Currency>[] = [
  { heading: 'Currency', cell: ({ currency }) => <span className="font-medium">{currency}</span> },
  { heading: 'Ledger accounts', className: FIGURE, cell: ({ accounts }) => COUNT.format(accounts) },
  { heading: 'Entries', className: FIGURE, cell: ({ entries }) => COUNT.format(entries) },
  {
    heading: 'Sum of all entries',
    className: FIGURE,
    cell: ({ sum }) => <strong className="font-semibold">{formatCents(sum)}</strong>,
  },
  { heading: 'User balances', className: FIGURE, cell: ({ owned }) => formatCents(owned) },
];

/** What the entries of each currency add up to, below what is wrong with them. */
function Currencies({ currencies, discrepancies, chain }: TrialBalance) {
  const unbalanced = currencies.filter(({ sum }) => sum !== 0);
  return (
    <>
      {unbalanced.map(({ currency }) => (
        <Notice key={currency} tone="danger" title={`The entries in ${currency} do not add up to zero.`}>
          Money was created or lost. Stop payments, back up the database and find the cause.
        </Notice>
      ))}
      {discrepancies.length > 0 ? <Discrepancies accounts={discrepancies} /> : <NoneDiffers />}
      <Chain {...chain} />
      <DataList
        label="Trial balance"
        columns={CURRENCY_COLUMNS}
        rows={currencies.map((row) => ({ ...row, id: row.currency }))}
        empty={
          <EmptyState
            icon={Scale}
            title="Nothing in the ledger yet"
            description="Entries appear with the first virtual account."
          />
        }
      />
    </>
  );
}

type Discrepancy = TrialBalance['discrepancies'][number] & { id: string };

const DISCREPANCY_COLUMNS: readonly Column<Discrepancy>[] = [
  {
    heading: 'Account',
    cell: ({ accountId }) => (
      <span className="inline-flex items-center gap-0.5">
        <code className="break-all text-sm">{accountId}</code>
        <CopyButton value={accountId} label={`Copy account ${accountId}`} className="-mr-2" />
      </span>
    ),
  },
  { heading: 'Balance', className: FIGURE, cell: ({ balance }) => formatCents(balance) },
  { heading: 'Sum of entries', className: FIGURE, cell: ({ entries }) => formatCents(entries) },
  {
    heading: 'Difference',
    className: FIGURE,
    cell: ({ balance, entries }) => (
      <strong className="font-semibold text-danger">{formatSigned(balance - entries)}</strong>
    ),
  },
];

/** What must never be there. */
function Discrepancies({ accounts }: { accounts: TrialBalance['discrepancies'] }) {
  return (
    <>
      <Notice
        tone="danger"
        title={
          accounts.length === 1
            ? "1 account doesn't match its entries"
            : `${accounts.length} accounts don't match their entries`
        }
      >
        The balance is not the sum of the entries. Stop payments, back up the database and find the cause.
      </Notice>
      <DataList
        label="Accounts that don't match their entries"
        columns={DISCREPANCY_COLUMNS}
        rows={accounts.map((account) => ({ ...account, id: account.accountId }))}
      />
    </>
  );
}

/** Whether every transaction is what it was when it was sealed. */
function Chain({ links, waiting, brokenAt }: TrialBalance['chain']) {
  if (brokenAt) {
    return (
      <Notice tone="danger" title="The chain of transactions is broken">
        Transaction <code className="break-all">{brokenAt}</code> was changed or removed after it was sealed.
        Stop payments, back up the database and find the cause.
      </Notice>
    );
  }
  return (
    <p className="flex items-center gap-2">
      <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
      {`Chain checked: ${COUNT.format(links)} sealed ${links === 1 ? 'transaction' : 'transactions'}${waiting > 0 ? `, ${COUNT.format(waiting)} about to be` : ''}`}
    </p>
  );
}

function NoneDiffers() {
  return (
    <p className="flex items-center gap-2">
      <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
      All accounts match their entries
    </p>
  );
}
