import type { AdminPayment } from '@nephos/contracts';
import { Receipt } from 'lucide-react';
import { formatDollars } from '../../lib/money.ts';
import { StatusBadge } from '../../lib/status-badge.tsx';
import { trpc } from '../../lib/trpc.ts';
import type { Column } from '../../ui/data-rows.tsx';
import { firstRows, useAdminView } from './admin-search.ts';
import { Day, StatusWithNote, UserId } from './cells.tsx';
import { FRESH_PAGES } from './fresh.ts';
import { RowList } from './row-list.tsx';

const COLUMNS: readonly Column<AdminPayment>[] = [
  {
    heading: 'Invoice ID',
    cell: ({ invoiceId }) => <code className="break-all text-sm">{invoiceId}</code>,
    skeleton: 'h-5 w-32',
  },
  {
    heading: 'User ID',
    cell: ({ userId, userEmail }) => <UserId id={userId} email={userEmail} />,
    skeleton: 'h-10 w-36',
  },
  {
    heading: 'Amount',
    className: 'text-right tabular-nums',
    cell: ({ amount }) => formatDollars(amount),
    skeleton: 'ml-auto h-5 w-16',
  },
  { heading: 'Method', cell: ({ paymentMethod }) => paymentMethod, skeleton: 'h-5 w-32' },
  {
    heading: 'Status',
    cell: ({ status, failure }) => (
      <StatusWithNote note={failure}>
        <StatusBadge status={status} />
      </StatusWithNote>
    ),
    skeleton: 'h-6 w-24 rounded-full',
  },
  {
    heading: 'Payment Date',
    cell: ({ paymentDate }) => <Day instant={paymentDate} />,
  },
];

export function PaymentsTab() {
  const { words } = useAdminView();
  const list = trpc.admin.payments.useInfiniteQuery(firstRows(words), FRESH_PAGES);
  return (
    <RowList
      list={list}
      columns={COLUMNS}
      label="Payments"
      nouns={['payment', 'payments']}
      icon={Receipt}
      loading="Loading payments…"
      empty="No payments found"
      explanation="Subscription charges appear here, including failed ones."
      searchLabel="Search payments by invoice, user, workspace or method"
    />
  );
}
