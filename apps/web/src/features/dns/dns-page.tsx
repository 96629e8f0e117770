import type { DnsRecord } from '@nephos/contracts';
import { Globe, Plus } from 'lucide-react';
import { useEffect } from 'react';
import { useCreation } from '../../lib/creation.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AddRecordDialog } from './add-record-dialog.tsx';
import { DnsHeader } from './dns-header.tsx';
import { useDomainFilter } from './dns-search.ts';
import { NameServerNotice, NameServerPanel } from './name-server-panel.tsx';
import { PendingZone } from './pending-zone.tsx';
import { RecordSection } from './record-section.tsx';
import { useAsk } from './use-answer.ts';
import { useRecords } from './use-records.ts';

export function DnsPage() {
  const { domain, setDomain } = useDomainFilter();
  const { creating, setCreating } = useCreation();
  const { ask, forget } = useAsk();
  const [zones] = trpc.dns.zones.useSuspenseQuery();
  const list = useRecords(domain);

  // What the name server said is true for the moment only: it does not outlive the visit.
  // biome-ignore lint/correctness/useExhaustiveDependencies: on leaving alone
  useEffect(() => () => forget(), []);

  function added(record: DnsRecord) {
    ask(record.id);
    if (domain !== undefined && domain !== record.domain) setDomain(undefined);
  }

  return (
    <>
      <DnsHeader
        action={
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" />
            Add Record
          </Button>
        }
      />
      <div className="flex flex-col gap-6">
        <NameServerNotice />
        {zones
          .filter(({ status }) => status === 'pending')
          .map((zone) => (
            <PendingZone key={zone.domain} zone={zone} />
          ))}
        {zones.length === 0 ? (
          <EmptyState
            icon={Globe}
            title="No DNS records yet"
            description="A record says where a name of your domain leads: to an address, to another name, to a mail server."
            action={<Button onClick={() => setCreating(true)}>Add your first record</Button>}
          />
        ) : (
          <RecordSection {...list} domain={domain} onDomainChange={setDomain} />
        )}
        <NameServerPanel record={list.records[0]} />
      </div>
      <AddRecordDialog open={creating} onOpenChange={setCreating} domain={domain} onAdded={added} />
    </>
  );
}
