import type { StatementLine } from '@nephos/contracts';
import { formatInstant } from '../../lib/format.ts';
import { formatCents, formatSigned } from '../../lib/money.ts';
import { Badge } from '../../ui/badge.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { KIND_NAMES } from './kind-names.ts';

/** An account's statement: every line with the balance that it left. */
export function StatementTable({ lines }: { lines: readonly StatementLine[] }) {
  return (
    <Table label="Statement">
      <TableHead>
        <TableHeading>Date</TableHeading>
        <TableHeading>Kind</TableHeading>
        <TableHeading className="w-full">Payment</TableHeading>
        <TableHeading className="text-right">Amount</TableHeading>
        <TableHeading className="text-right">Balance</TableHeading>
      </TableHead>
      <TableBody>
        {lines.map(({ id, kind, reference, description, party, amount, balance, createdAt }) => (
          <TableRow key={id}>
            <TableCell className="whitespace-nowrap py-2.5 text-muted">
              <time dateTime={createdAt}>{formatInstant(createdAt)}</time>
            </TableCell>
            <TableCell>
              <Badge>{KIND_NAMES[kind]}</Badge>
            </TableCell>
            {/* As wide as what the others leave: a long text is cut off rather than pushing them out. */}
            <TableCell className="min-w-48 max-w-0 py-2.5">
              <p className="truncate font-medium" title={party}>
                {party}
              </p>
              <p
                className="truncate text-faint text-sm"
                title={description ? `${description} · ${reference}` : reference}
              >
                {description && `${description} · `}
                {reference}
              </p>
            </TableCell>
            <TableCell className="whitespace-nowrap text-right font-medium">{formatSigned(amount)}</TableCell>
            <TableCell className="whitespace-nowrap text-right text-muted">{formatCents(balance)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
