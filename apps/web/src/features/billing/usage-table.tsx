import type { UsageRecord } from '@nephos/contracts';
import { formatCost } from '../../lib/money.ts';
import { formatAmount, USAGE_NAMES } from '../../lib/usage-units.ts';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { When } from './when.tsx';

export function UsageTable({ records }: { records: readonly UsageRecord[] }) {
  return (
    <Table label="Usage records">
      <TableHead>
        <TableHeading>Resource type</TableHeading>
        <TableHeading className="w-full">Resource</TableHeading>
        <TableHeading className="text-right">Amount</TableHeading>
        <TableHeading className="text-right">Cost</TableHeading>
        <TableHeading>Date</TableHeading>
      </TableHead>
      <TableBody>
        {records.map(({ id, resourceType, resourceId, amount, cost, timestamp }) => (
          <TableRow key={id}>
            <TableCell className="whitespace-nowrap font-medium">{USAGE_NAMES[resourceType]}</TableCell>
            <TableCell className="max-w-0 truncate text-faint text-sm" title={resourceId ?? undefined}>
              {resourceId && <code>{resourceId}</code>}
            </TableCell>
            <TableCell className="whitespace-nowrap text-right">
              {formatAmount(resourceType, amount)}
            </TableCell>
            <TableCell className="whitespace-nowrap text-right font-medium">{formatCost(cost)}</TableCell>
            <TableCell className="whitespace-nowrap text-muted">
              <When instant={timestamp} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
