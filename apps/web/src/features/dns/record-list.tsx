import { type DnsRecord, wholeName } from '@nephos/contracts';
import { Globe } from 'lucide-react';
import { useDeferredValue } from 'react';
import { KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { trpc } from '../../lib/trpc.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select.tsx';
import { firstRecords } from './dns-search.ts';
import { RecordActions } from './record-actions.tsx';
import { RecordAnswer } from './record-answer.tsx';
import { recordTitle } from './record-names.ts';
import { useWasAsked } from './use-answer.ts';

/** The records of a domain, or of all. Those that were shown stay until those of another domain are there. */
export function useRecords(domain: string | undefined) {
  const shown = useDeferredValue(domain);
  const [{ pages }, list] = trpc.dns.list.useSuspenseInfiniteQuery(firstRecords(shown), KEYSET_PAGES);
  return { records: pages.flat(), list, changing: shown !== domain };
}

const COLUMNS: readonly Column<DnsRecord>[] = [
  {
    heading: 'Domain',
    className: 'max-w-44',
    cell: ({ domain }) => (
      <span title={domain} className="block break-all text-muted in-[td]:truncate">
        {domain}
      </span>
    ),
    card: 'line',
  },
  {
    heading: 'Type',
    cell: ({ recordType }) => <Badge className="font-mono">{recordType}</Badge>,
    card: 'title',
  },
  {
    heading: 'Name',
    className: 'max-w-44',
    cell: ({ name, domain }) => (
      <span
        title={wholeName(name, domain)}
        className="block break-all font-medium font-mono in-[td]:truncate in-[td]:text-sm"
      >
        {name}
      </span>
    ),
    card: 'title',
  },
  {
    heading: 'Value',
    // As wide as what the others leave: a long value is cut off rather than pushing them out.
    className: 'w-full min-w-48 max-w-0',
    cell: (record) => (
      <span className="flex items-center gap-1 in-[dd]:justify-between">
        <code title={record.value} className="break-all text-sm in-[dd]:line-clamp-3 in-[td]:truncate">
          {record.value}
        </code>
        <CopyButton
          value={record.value}
          label={`Copy the value of ${recordTitle(record)}`}
          className="in-[dd]:-mr-2"
        />
      </span>
    ),
    card: 'line',
  },
  {
    heading: 'TTL',
    className: 'text-right',
    cell: ({ ttl }) => <span className="text-muted">{ttl}s</span>,
    card: 'aside',
  },
  {
    heading: 'Actions',
    hideHeading: true,
    className: 'pr-2! pl-0!',
    cell: (record) => <RecordActions record={record} />,
    card: 'end',
  },
];

/** What the name server says of a record, below it. */
function useAnswerBelow(record: DnsRecord) {
  return useWasAsked(record.id) ? <RecordAnswer record={record} /> : null;
}

export interface RecordListProps extends ReturnType<typeof useRecords> {
  domain: string | undefined;
  onDomainChange: (domain: string | undefined) => void;
}

/** The filter and the records that it leaves. */
export function RecordList({ records, list, changing, domain, onDomainChange }: RecordListProps) {
  const [zones] = trpc.dns.zones.useSuspenseQuery();
  const count = zones
    .filter((zone) => domain === undefined || zone.domain === domain)
    .reduce((sum, { recordCount }) => sum + recordCount, 0);
  return (
    <section aria-label="Records">
      <DataList
        label="DNS records"
        columns={COLUMNS}
        rows={records}
        useBelow={useAnswerBelow}
        filter={<DomainFilter domain={domain} onDomainChange={onDomainChange} />}
        status={count === 1 ? '1 record' : `${count} records`}
        stale={changing}
        empty={
          <EmptyState
            icon={Globe}
            title="No records in this domain"
            description={<span className="break-all">{domain}</span>}
            action={<Button onClick={() => onDomainChange(undefined)}>Show all domains</Button>}
          />
        }
        more={{ list, failure: 'More records could not be loaded.' }}
      />
    </section>
  );
}

/** Stands for no filter; no domain is called so. */
const ALL = '*';

/** Shows the records of one domain, or of all. */
function DomainFilter({ domain, onDomainChange }: Pick<RecordListProps, 'domain' | 'onDomainChange'>) {
  const [zones] = trpc.dns.zones.useSuspenseQuery();
  const options = [
    { value: ALL, label: 'All domains' },
    ...zones.map((zone) => ({ value: zone.domain, label: zone.domain })),
  ];
  // The address may name one without records.
  if (domain && !zones.some((zone) => zone.domain === domain)) {
    options.push({ value: domain, label: domain });
  }
  return (
    <Select
      aria-label="Domain"
      value={domain ?? ALL}
      onValueChange={(chosen) => onDomainChange(chosen === ALL ? undefined : chosen)}
      options={options}
      className="sm:w-72"
    />
  );
}
