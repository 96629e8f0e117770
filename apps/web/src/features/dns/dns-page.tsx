import type { DnsRecord } from '@nephos/contracts';
import { Globe, Plus } from 'lucide-react';
import { useEffect } from 'react';
import { useCreation } from '../../lib/creation.ts';
import { trpc } from '../../lib/trpc.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AddRecordDialog } from './add-record-dialog.tsx';
import { useDomainFilter } from './dns-search.ts';
import { NameServerNotice, NameServerPanel } from './name-server-panel.tsx';
import { PendingZone } from './pending-zone.tsx';
import { RecordList, useRecords } from './record-list.tsx';
import { useAsk } from './use-answer.ts';

export function DnsPage() {
  const { domain, setDomain } = useDomainFilter();
  const { creating, setCreating } = useCreation();
  const { ask } = useAsk();
  const [zones] = trpc.dns.zones.useSuspenseQuery();
  const list = useRecords(domain);

  useForgottenAnswers();

  function added(record: DnsRecord) {
    ask(record.id);
    if (domain !== undefined && domain !== record.domain) setDomain(undefined);
  }

  return (
    <>
      <PageHeader
        {...HEADINGS.dns}
        action={
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" />
            Add Record
          </Button>
        }
      />
      <div className="flex flex-col gap-6">
        <NameServerNotice />
        {zones.map((zone) => zone.status === 'pending' && <PendingZone key={zone.domain} zone={zone} />)}
        {zones.length === 0 ? (
          <NoRecords onAdd={() => setCreating(true)} />
        ) : (
          <RecordList {...list} domain={domain} onDomainChange={setDomain} />
        )}
        <NameServerPanel record={list.records[0]} />
      </div>
      {creating && <AddRecordDialog domain={domain} onAdded={added} onClose={() => setCreating(false)} />}
    </>
  );
}

/** What the name server said is true for the moment only: it does not outlive the visit. */
function useForgottenAnswers() {
  const { forget } = useAsk();
  // biome-ignore lint/correctness/useExhaustiveDependencies: on leaving alone
  useEffect(() => () => forget(), []);
}

function NoRecords({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={Globe}
      title="No DNS records yet"
      description="Records point names in your domain to IP addresses, other hosts or mail servers."
      action={<Button onClick={onAdd}>Add your first record</Button>}
    />
  );
}
