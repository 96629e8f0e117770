import type { Payment } from '@nephos/contracts';
import { ReceiptText } from 'lucide-react';
import { FIRST_PAGE, KEYSET_PAGES, nextPages } from '../../../lib/keyset-pages.ts';
import { LoadFailure } from '../../../lib/load-failure.tsx';
import { formatDollars } from '../../../lib/money.ts';
import { StatusBadge } from '../../../lib/status-badge.tsx';
import { trpc } from '../../../lib/trpc.ts';
import { DataList } from '../../../ui/data-list.tsx';
import type { Column } from '../../../ui/data-rows.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Section, When } from './section.tsx';

const COLUMNS: readonly Column<Payment>[] = [
  {
    heading: 'Invoice',
    className: 'whitespace-nowrap',
    cell: ({ invoiceId }) => <code className="text-sm">{invoiceId}</code>,
    skeleton: 'h-5 w-32',
  },
  {
    heading: 'Date',
    className: 'whitespace-nowrap text-muted',
    cell: ({ paymentDate }) => <When instant={paymentDate} />,
    skeleton: 'h-5 w-36',
  },
  {
    heading: 'Method',
    className: 'w-full min-w-48 py-2.5',
    cell: ({ paymentMethod, failure }) => (
      <>
        {paymentMethod}
        {failure && <p className="text-danger text-sm">{failure}</p>}
      </>
    ),
    skeleton: 'h-5 w-32',
    card: 'line',
  },
  {
    heading: 'Status',
    cell: ({ status }) => <StatusBadge status={status} />,
    skeleton: 'h-6 w-24 rounded-full',
    card: 'aside',
  },
  {
    heading: 'Amount',
    className: 'whitespace-nowrap text-right font-medium',
    cell: ({ amount }) => <span className="tabular-nums">{formatDollars(amount)}</span>,
    skeleton: 'ml-auto h-5 w-16',
    card: 'title',
  },
];

/** What the card was charged, newest first. */
export function PaymentList() {
  const list = trpc.billing.payments.useInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);
  return (
    <Section
      title="Payments"
      description="Charges to your card: your plan's price each month, and whenever you change plans."
    >
      <DataList
        label="Payments"
        columns={COLUMNS}
        rows={list.data?.pages.flat()}
        loading="Loading payments"
        failure={list.isLoadingError && <LoadFailure query={list} failure="Failed to load the payments" />}
        empty={
          <EmptyState
            icon={ReceiptText}
            title="No payments yet"
            description="Every charge to your card appears here with its invoice number, including failed ones."
          />
        }
        more={nextPages(list, 'payments')}
      />
    </Section>
  );
}
