import type { Payment } from '@nephos/contracts';
import { formatDollars } from '../../lib/money.ts';
import { StatusBadge } from '../../lib/status-badge.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { When } from './when.tsx';

export function PaymentTable({ payments }: { payments: readonly Payment[] }) {
  return (
    <Table label="Payments">
      <TableHead>
        <TableHeading>Invoice</TableHeading>
        <TableHeading>Date</TableHeading>
        <TableHeading className="w-full">Method</TableHeading>
        <TableHeading>Status</TableHeading>
        <TableHeading className="text-right">Amount</TableHeading>
      </TableHead>
      <TableBody>
        {payments.map((payment) => (
          <TableRow key={payment.id}>
            <TableCell className="whitespace-nowrap">
              <code className="text-sm">{payment.invoiceId}</code>
            </TableCell>
            <TableCell className="whitespace-nowrap text-muted">
              <When instant={payment.paymentDate} />
            </TableCell>
            <TableCell className="min-w-48 py-2.5">
              {payment.paymentMethod}
              {payment.failure && <p className="text-danger text-sm">{payment.failure}</p>}
            </TableCell>
            <TableCell>
              <StatusBadge status={payment.status} />
            </TableCell>
            <TableCell className="whitespace-nowrap text-right font-medium">
              {formatDollars(payment.amount)}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
