import type { DnsRecord } from '@nephos/contracts';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { RecordActions } from './record-actions.tsx';
import { RecordAnswer } from './record-answer.tsx';
import { recordTitle } from './record-title.ts';
import { useWasAsked } from './use-answer.ts';

/** The table's rows where its columns have no room. */
export function RecordCards({ records }: { records: readonly DnsRecord[] }) {
  return (
    <ul aria-label="DNS records" className="flex flex-col gap-3">
      {records.map((record) => (
        <li key={record.id}>
          <RecordCard record={record} />
        </li>
      ))}
    </ul>
  );
}

function RecordCard({ record }: { record: DnsRecord }) {
  const { domain, recordType, name, value, ttl } = record;
  const asked = useWasAsked(record.id);
  return (
    <Card className="p-0!">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 pt-3.5 pb-2">
        <Fact term="Type">
          <Badge className="font-mono">{recordType}</Badge>
        </Fact>
        <Fact term="Name" className="break-all font-medium font-mono">
          {name}
        </Fact>
        <Fact term="TTL" className="text-muted">
          {ttl}s
        </Fact>
        <Fact term="Domain" className="col-span-3 break-all text-muted">
          {domain}
        </Fact>
        <Fact term="Value" className="col-span-3 flex items-center justify-between gap-2">
          <code className="line-clamp-3 break-all text-sm">{value}</code>
          <CopyButton value={value} label={`Copy the value of ${recordTitle(record)}`} className="-mr-2" />
        </Fact>
      </dl>
      {asked && <RecordAnswer record={record} className="border-line border-t bg-sunken pr-2 pl-4" />}
      <div className="border-line border-t px-2 py-1.5">
        <RecordActions record={record} />
      </div>
    </Card>
  );
}

interface FactProps {
  /** Heard, not seen: what each value is shows by itself. */
  term: string;
  className?: string;
  children: ReactNode;
}

function Fact({ term, className, children }: FactProps) {
  return (
    <div className={className}>
      <dt className="sr-only">{term}</dt>
      <dd className="contents">{children}</dd>
    </div>
  );
}
