import type { DnsRecord } from '@nephos/contracts';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { RecordActions } from './record-actions.tsx';
import { RecordAnswer } from './record-answer.tsx';
import { recordTitle } from './record-title.ts';
import { useWasAsked } from './use-answer.ts';

/** The table's rows where the window is too narrow for its columns. */
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
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 px-4 pt-3.5 pb-2">
        <Fact term="Domain">{domain}</Fact>
        <Fact term="Type">
          <Badge className="font-mono">{recordType}</Badge>
        </Fact>
        <Fact term="Name">
          <code className="break-all font-medium text-sm">{name}</code>
        </Fact>
        <Fact term="Value">
          <span className="flex items-center gap-1">
            <code className="line-clamp-3 break-all text-sm">{value}</code>
            <CopyButton value={value} label={`Copy the value of ${recordTitle(record)}`} />
          </span>
        </Fact>
        <Fact term="TTL">{ttl}s</Fact>
      </dl>
      {asked && <RecordAnswer record={record} className="border-line border-t bg-sunken pr-2 pl-4" />}
      <div className="border-line border-t px-2 py-1.5">
        <RecordActions record={record} />
      </div>
    </Card>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint text-sm">{term}</dt>
      <dd className="min-w-0 break-all">{children}</dd>
    </>
  );
}
