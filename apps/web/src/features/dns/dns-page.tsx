import type { DnsRecord } from '@nephos/contracts';
import { Download, FileUp, Globe, History, Pencil, Plus, ShieldCheck } from 'lucide-react';
import { lazy, useEffect, useState } from 'react';
import { type Creation, useCreation } from '../../lib/creation.ts';
import { MOST_WITHOUT_SEARCH } from '../../lib/resource-list.tsx';
import { inWorkspace } from '../../lib/tab-workspace.ts';
import { trpc } from '../../lib/trpc.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { LatePart } from '../../shell/late-part.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useDomainFilter } from './dns-search.ts';
import { NameServerNotice, NameServerPanel } from './name-server-panel.tsx';
import { RecordList, useRecords } from './record-list.tsx';
import { UnprovenZone } from './unproven-zone.tsx';
import { useAsk } from './use-answer.ts';

const AddRecordDialog = lateDialog({ fields: 5 }, () =>
  import('./add-record-dialog.tsx').then(({ AddRecordDialog }) => AddRecordDialog),
);

const ImportDialog = lateDialog({ fields: 3, wide: true }, () =>
  import('./import-dialog.tsx').then(({ ImportDialog }) => ImportDialog),
);

const HistoryDialog = lateDialog({ fields: 3, wide: true }, () =>
  import('./history-dialog.tsx').then(({ HistoryDialog }) => HistoryDialog),
);

const SigningDialog = lateDialog({ fields: 3, wide: true }, () =>
  import('./signing-dialog.tsx').then(({ SigningDialog }) => SigningDialog),
);

const SecondariesCard = lazy(() =>
  import('./secondaries-card.tsx').then(({ SecondariesCard }) => ({ default: SecondariesCard })),
);

const ZoneEditor = lazy(() =>
  import('./zone-editor.tsx').then(({ ZoneEditor }) => ({ default: ZoneEditor })),
);

export function DnsPage() {
  const { domain, setDomain } = useDomainFilter();
  const { creating, setCreating, opener } = useCreation();
  const [importing, setImporting] = useState(false);
  /** The domain of which several records are edited. */
  const [editing, setEditing] = useState<string>();
  const [showingHistory, setShowingHistory] = useState(false);
  const need = useNeed('build');
  const { ask } = useAsk();
  const [zones] = trpc.dns.zones.useSuspenseQuery();
  const records = useRecords(domain);
  // A list that grows as one scrolls would keep what is below it out of reach.
  const long = zones.reduce((sum, { recordCount }) => sum + recordCount, 0) > MOST_WITHOUT_SEARCH;
  const zone = zones.find((one) => one.domain === domain || (domain === undefined && zones.length === 1));
  const panels = (
    <>
      {zone && (
        <LatePart wanted={false}>
          <SecondariesCard key={zone.domain} domain={zone.domain} />
        </LatePart>
      )}
      <NameServerPanel record={records.list.data?.pages[0]?.[0]} />
    </>
  );

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
          editing === undefined && (
            <>
              {zone && (
                <>
                  <ExportLink domain={zone.domain} />
                  <Button {...need} onClick={() => setEditing(zone.domain)}>
                    <Pencil aria-hidden="true" />
                    Bulk edit
                  </Button>
                </>
              )}
              {zone?.status === 'active' && <SigningButton domain={zone.domain} />}
              <Button onClick={() => setShowingHistory(true)}>
                <History aria-hidden="true" />
                History
              </Button>
              <Button {...need} onClick={() => setImporting(true)}>
                <FileUp aria-hidden="true" />
                Import
              </Button>
              <Button variant="primary" {...opener}>
                <Plus aria-hidden="true" />
                Add Record
              </Button>
            </>
          )
        }
      />
      <div className="flex flex-col gap-6">
        <NameServerNotice />
        {zones.map((zone) => zone.verification && <UnprovenZone key={zone.domain} zone={zone} />)}
        {long && panels}
        {editing !== undefined ? (
          <LatePart wanted onSaid={() => setEditing(undefined)}>
            <ZoneEditor domain={editing} onClose={() => setEditing(undefined)} />
          </LatePart>
        ) : zones.length === 0 ? (
          <NoRecords opener={opener} />
        ) : (
          <RecordList {...records} domain={domain} onDomainChange={setDomain} />
        )}
        {!long && panels}
      </div>
      {showingHistory && <HistoryDialog domain={domain} onClose={() => setShowingHistory(false)} />}
      {importing && <ImportDialog domain={domain} onClose={() => setImporting(false)} />}
      {creating && <AddRecordDialog domain={domain} onAdded={added} onClose={() => setCreating(false)} />}
    </>
  );
}

/** Saves the domain that is shown as a zone file. */
function ExportLink({ domain }: { domain: string }) {
  return (
    <a href={inWorkspace(`/api/dns-zones/${domain}/zone-file`)} download className={buttonStyles({})}>
      <Download aria-hidden="true" />
      Export
    </a>
  );
}

/** Opens what there is to say about the signatures of the domain that is shown. */
function SigningButton({ domain }: { domain: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <ShieldCheck aria-hidden="true" />
        DNSSEC
      </Button>
      {open && <SigningDialog domain={domain} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What the name server said is true for the moment only: it does not outlive the visit. */
function useForgottenAnswers() {
  const { forget } = useAsk();
  // biome-ignore lint/correctness/useExhaustiveDependencies: on leaving alone
  useEffect(() => () => forget(), []);
}

function NoRecords({ opener }: Pick<Creation, 'opener'>) {
  return (
    <EmptyState
      icon={Globe}
      title="No DNS records yet"
      description="Records point names in your domain to IP addresses, other hosts or mail servers."
      action={<Button {...opener}>Add your first record</Button>}
    />
  );
}
