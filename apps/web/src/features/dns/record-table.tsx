import { type DnsRecord, wholeName } from '@nephos/contracts';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { RecordActions } from './record-actions.tsx';
import { RecordAnswer } from './record-answer.tsx';
import { recordTitle } from './record-title.ts';
import { useWasAsked } from './use-answer.ts';

/** Records with the columns of specification §2. */
export function RecordTable({ records }: { records: readonly DnsRecord[] }) {
  return (
    <Table label="DNS records">
      <TableHead>
        <TableHeading>Domain</TableHeading>
        <TableHeading>Type</TableHeading>
        <TableHeading>Name</TableHeading>
        <TableHeading className="w-full">Value</TableHeading>
        <TableHeading className="text-right">TTL</TableHeading>
        <TableHeading>
          <span className="sr-only">Actions</span>
        </TableHeading>
      </TableHead>
      <TableBody>
        {records.map((record) => (
          <RecordRows key={record.id} record={record} />
        ))}
      </TableBody>
    </Table>
  );
}

/** The record, and below it what the name server says of it. */
function RecordRows({ record }: { record: DnsRecord }) {
  const { domain, recordType, name, value, ttl } = record;
  const asked = useWasAsked(record.id);
  return (
    <>
      <TableRow className={asked ? 'border-b-0!' : undefined}>
        <TableCell className="max-w-44 truncate text-muted" title={domain}>
          {domain}
        </TableCell>
        <TableCell>
          <Badge className="font-mono">{recordType}</Badge>
        </TableCell>
        <TableCell
          className="max-w-44 truncate font-medium font-mono text-sm"
          title={wholeName(name, domain)}
        >
          {name}
        </TableCell>
        {/* As wide as what the others leave: a long value is cut off rather than pushing them out. */}
        <TableCell className="min-w-48 max-w-0">
          <span className="flex items-center gap-1">
            <code className="truncate text-sm" title={value}>
              {value}
            </code>
            <CopyButton value={value} label={`Copy the value of ${recordTitle(record)}`} />
          </span>
        </TableCell>
        <TableCell className="text-right text-muted">{ttl}s</TableCell>
        <TableCell className="pr-2! pl-0!">
          <RecordActions record={record} />
        </TableCell>
      </TableRow>
      {asked && (
        <tr>
          <td colSpan={6} className="border-t-0! px-2 pb-2">
            <RecordAnswer record={record} className="rounded-lg bg-sunken pr-1 pl-3" />
          </td>
        </tr>
      )}
    </>
  );
}
