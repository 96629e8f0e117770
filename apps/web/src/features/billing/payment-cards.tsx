import type { Payment } from '@nephos/contracts';
import { formatDollars } from '../../lib/money.ts';
import { StatusBadge } from '../../lib/status-badge.tsx';
import { RecordList } from './record-list.tsx';
import { When } from './when.tsx';

/** The payments where the columns of their table have no room. */
export function PaymentCards({ payments }: { payments: readonly Payment[] }) {
  return (
    <RecordList label="Payments">
      {payments.map((payment) => (
        <li key={payment.id} className="px-4 py-3">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="font-semibold tabular-nums">{formatDollars(payment.amount)}</span>
            <StatusBadge status={payment.status} />
          </div>
          <p className="mt-1">{payment.paymentMethod}</p>
          {payment.failure && <p className="break-words text-danger">{payment.failure}</p>}
          <p className="mt-1 flex flex-wrap justify-between gap-x-4 text-faint text-sm">
            <code>{payment.invoiceId}</code>
            <When instant={payment.paymentDate} />
          </p>
        </li>
      ))}
    </RecordList>
  );
}
