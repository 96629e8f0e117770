import type { DnsRecord } from '@nephos/contracts';
import { useState } from 'react';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import { Switch } from '../ui/switch.tsx';
import { LoadFailure } from './load-failure.tsx';
import { trpc } from './trpc.ts';

interface Where {
  /** What they lead to: an app where nothing is said. */
  kind?: 'project' | 'bucket';
  /** The project or bucket; undefined: there is none. */
  id: string | undefined;
  /** Only what leads to this domain of it; of a bucket always one. */
  domain?: string;
}

/** The DNS records that lead to an app, to be shown before it is deleted, and whether they go along. */
export function useLeadingRecords({ kind = 'project', id = '', domain }: Where) {
  // Somebody may have changed them since the last look.
  const options = (of: typeof kind) => ({ staleTime: 0, gcTime: 0, enabled: id !== '' && kind === of });
  const ofProject = trpc.customDomains.records.useQuery(
    { id, ...(domain !== undefined && { domain }) },
    options('project'),
  );
  const ofBucket = trpc.bucketSites.domainRecords.useQuery({ id, domain: domain ?? '' }, options('bucket'));
  const query = kind === 'project' ? ofProject : ofBucket;
  const [wanted, setWanted] = useState(true);
  const found = (query.data?.length ?? 0) > 0;
  return {
    query,
    wanted,
    setWanted,
    deleteRecords: found && wanted,
    isLooking: id !== '' && query.isPending,
  };
}

type LeadingRecordsProps = Pick<ReturnType<typeof useLeadingRecords>, 'query' | 'wanted' | 'setWanted'>;

/** Warns of records that would lead nowhere; nothing where there are none. */
export function LeadingRecords({ query, wanted, setWanted }: LeadingRecordsProps) {
  if (query.error) return <LoadFailure query={query} failure="Failed to load the DNS records" />;
  if (!query.data) {
    return (
      <SkeletonGroup label="Looking for DNS records">
        <Skeleton className="h-14 rounded-lg" />
      </SkeletonGroup>
    );
  }
  const records = query.data;
  if (records.length === 0) return null;
  const title =
    records.length === 1 ? '1 DNS record points here' : `${records.length} DNS records point here`;
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title={title}>
        <ul className="flex max-h-40 flex-col gap-1 overflow-y-auto wrap-anywhere">
          {records.map((record) => (
            <li key={record.id}>
              <code className="text-fg text-sm">{lineOf(record)}</code>
            </li>
          ))}
        </ul>
      </Notice>
      <Field label="Delete these records too" className="flex-row-reverse items-center justify-end gap-3">
        <Switch checked={wanted} onCheckedChange={setWanted} />
      </Field>
    </div>
  );
}

function lineOf({ name, domain, recordType, value }: DnsRecord): string {
  return `${name === '@' ? domain : `${name}.${domain}`} ${recordType} ${value}`;
}
