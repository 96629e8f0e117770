import type { TrialBalance } from '@nephos/contracts';
import { formatCents, formatSigned } from '../../lib/money.ts';
import { TableOrCards } from '../../lib/table-or-cards.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Column } from './column.ts';
import { RowCards } from './row-cards.tsx';
import { RowTable } from './row-table.tsx';

type Discrepancy = TrialBalance['discrepancies'][number] & { id: string };

const LABEL = 'Accounts that differ from their entries';

const COLUMNS: readonly Column<Discrepancy>[] = [
  {
    heading: 'Account',
    cell: ({ accountId }) => (
      <span className="inline-flex items-center gap-0.5">
        <code className="break-all text-sm">{accountId}</code>
        <CopyButton value={accountId} label={`Copy account ${accountId}`} className="-mr-2" />
      </span>
    ),
  },
  figure('Balance', ({ balance }) => formatCents(balance)),
  figure('Sum of its entries', ({ entries }) => formatCents(entries)),
  figure('Difference', ({ balance, entries }) => (
    <strong className="font-semibold text-danger">{formatSigned(balance - entries)}</strong>
  )),
];

function figure(heading: string, cell: Column<Discrepancy>['cell']): Column<Discrepancy> {
  return { heading, cell, className: 'text-right tabular-nums' };
}

/** What must never be there. */
export function Discrepancies({ accounts }: { accounts: TrialBalance['discrepancies'] }) {
  const rows = accounts.map((account) => ({ ...account, id: account.accountId }));
  return (
    <>
      <Notice
        tone="danger"
        title={
          rows.length === 1
            ? '1 account differs from its entries'
            : `${rows.length} accounts differ from their entries`
        }
      >
        A balance says something else than what moved it. Stop payments, keep a copy of the database, and find
        out why.
      </Notice>
      <TableOrCards
        table={<RowTable label={LABEL} columns={COLUMNS} rows={rows} />}
        cards={<RowCards label={LABEL} columns={COLUMNS} rows={rows} />}
      />
    </>
  );
}
