import type { TrialBalance } from '@nephos/contracts';
import { formatCents } from '../../lib/money.ts';
import { TableOrCards } from '../../lib/table-or-cards.tsx';
import type { Column } from './column.ts';
import { RowCards } from './row-cards.tsx';
import { RowTable } from './row-table.tsx';

type Currency = TrialBalance['currencies'][number] & { id: string };

const COUNT = new Intl.NumberFormat('en');
const LABEL = 'Trial balance';

const COLUMNS: readonly Column<Currency>[] = [
  { heading: 'Currency', cell: ({ currency }) => <span className="font-medium">{currency}</span> },
  figure('Accounts', ({ accounts }) => COUNT.format(accounts)),
  figure('Entries', ({ entries }) => COUNT.format(entries)),
  figure('Sum of all entries', ({ sum }) => <strong className="font-semibold">{formatCents(sum)}</strong>),
  figure('Owned by users', ({ owned }) => formatCents(owned)),
];

function figure(heading: string, cell: Column<Currency>['cell']): Column<Currency> {
  return { heading, cell, className: 'text-right tabular-nums' };
}

/** What the entries of each currency add up to. */
export function CurrencyTable({ currencies }: Pick<TrialBalance, 'currencies'>) {
  const rows = currencies.map((row) => ({ ...row, id: row.currency }));
  return (
    <TableOrCards
      table={<RowTable label={LABEL} columns={COLUMNS} rows={rows} />}
      cards={<RowCards label={LABEL} columns={COLUMNS} rows={rows} />}
    />
  );
}
