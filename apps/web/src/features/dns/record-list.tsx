import { type DnsRecord, wholeName } from '@nephos/contracts';
import { RECORD_SORTS } from '@nephos/contracts/constants';
import { Globe } from 'lucide-react';
import { LIST_PAGES } from '../../lib/keyset-pages.ts';
import { useListView } from '../../lib/list-view.ts';
import { ResourceList } from '../../lib/resource-list.tsx';
import { trpc } from '../../lib/trpc.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select.tsx';
import { ofDomain } from './dns-search.ts';
import { RecordActions } from './record-actions.tsx';
import { RecordAnswer } from './record-answer.tsx';
import { recordTitle } from './record-names.ts';
import { useWasAsked } from './use-answer.ts';

/** The records of a domain, or of all. Those that were shown stay until those of another domain are there. */
export function useRecords(domain: string | undefined) {
  const view = useListView(RECORD_SORTS);
  const list = trpc.dns.list.useInfiniteQuery(ofDomain(view.first, domain), LIST_PAGES);
  return { list, view };
}

export const TYPE_COLUMN: Column<Pick<DnsRecord, 'recordType'>> = {
  heading: 'Type',
  className: 'w-24',
  cell: ({ recordType }) => <Badge className="font-mono">{recordType}</Badge>,
  card: 'title',
};

const COLUMNS: readonly Column<DnsRecord>[] = [
  {
    heading: 'Domain',
    className: 'hidden w-44 @4xl/page:table-cell',
    cell: ({ domain }) => (
      <span title={domain} className="block break-all text-muted in-[td]:truncate">
        {domain}
      </span>
    ),
    card: 'line',
  },
  TYPE_COLUMN,
  {
    heading: 'Name',
    className: 'w-44',
    cell: ({ name, domain }) => (
      <div title={wholeName(name, domain)}>
        <p className="break-all font-medium font-mono in-[td]:truncate in-[td]:text-sm">{name}</p>
        {/* Where the domain has no column. */}
        <p className="hidden truncate text-faint text-xs in-[td]:block @4xl/page:in-[td]:hidden">{domain}</p>
      </div>
    ),
    card: 'title',
  },
  {
    heading: 'Value',
    cell: (record) => (
      <span className="flex items-center gap-1 in-[dd]:justify-between">
        <code title={record.value} className="break-all text-sm in-[dd]:line-clamp-3 in-[td]:truncate">
          {record.value}
        </code>
        {record.projectId && <Badge className="ml-1">Follows app</Badge>}
        {record.bucketId && <Badge className="ml-1">Follows site</Badge>}
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
    className: 'w-20 text-right',
    cell: ({ ttl }) => <span className="text-muted">{ttl}s</span>,
    card: 'aside',
  },
  {
    heading: 'Actions',
    hideHeading: true,
    className: 'w-44 pr-2! pl-0!',
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
export function RecordList({ list, view, domain, onDomainChange }: RecordListProps) {
  const [zones] = trpc.dns.zones.useSuspenseQuery();
  const count = zones
    .filter((zone) => domain === undefined || zone.domain === domain)
    .reduce((sum, { recordCount }) => sum + recordCount, 0);
  return (
    <ResourceList
      label="DNS records"
      nouns={['record', 'records']}
      list={list}
      view={view}
      columns={COLUMNS}
      useBelow={useAnswerBelow}
      filter={<DomainFilter domain={domain} onDomainChange={onDomainChange} />}
      count={view.words === undefined ? count : undefined}
      empty={
        <EmptyState
          icon={Globe}
          title="No records in this domain"
          description={<span className="break-all">{domain}</span>}
          action={<Button onClick={() => onDomainChange(undefined)}>Show all domains</Button>}
        />
      }
    />
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
      className="min-w-0 max-sm:flex-1 sm:w-64"
    />
  );
}
