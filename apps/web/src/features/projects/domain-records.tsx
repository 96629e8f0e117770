import type { CustomDomain, CustomDomains } from '@nephos/contracts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { CopyFact } from '../../ui/copy-fact.tsx';

interface DomainRecordsProps extends Pick<CustomDomains, 'target' | 'addresses' | 'served'> {
  projectId: string;
  domain: CustomDomain;
}

/** What to write at the DNS provider, or a button that does where that is this server. */
export function DomainRecords({ projectId, domain: own, target, addresses, served }: DomainRecordsProps) {
  const { domain, verification } = own;
  // The zone may be here and prove nothing: anyone could have made it.
  if (served.includes(domain) && own.reason === '')
    return <SetRecords projectId={projectId} domain={domain} />;
  const isKnown = target !== null || addresses.length > 0;
  return (
    <div className="flex flex-col gap-4 text-muted text-sm">
      <RecordFacts
        title="TXT record, which proves that you own the domain. Keep it."
        {...{ domain, type: 'TXT', name: verification.name, value: verification.value }}
      />
      {target !== null && (
        <RecordFacts
          title="CNAME record, which leads the domain to the app."
          {...{ domain, type: 'CNAME', name: domain, value: target }}
        />
      )}
      {addresses.map((address, index) => {
        const type = address.includes(':') ? 'AAAA' : 'A';
        const instead = target !== null && index === 0 ? ', where your provider allows no CNAME' : '';
        return (
          <RecordFacts
            key={address}
            title={`${type} record${instead}.`}
            {...{ domain, type, name: domain, value: address }}
          />
        );
      })}
      {!isKnown && (
        <p>
          Then set an A or AAAA record to this server's address. Apps have no public address of their own
          here: an administrator can set APPS_DOMAIN.
        </p>
      )}
    </div>
  );
}

function SetRecords({ projectId, domain }: { projectId: string; domain: string }) {
  const { customDomains, dns } = trpc.useUtils();
  const point = useAction(trpc.customDomains.point.useMutation(), {
    success: 'DNS records set',
    failure: 'Failed to set the DNS records',
    serverSpeaks: true,
    refresh: [customDomains.list, dns.list, dns.zones, dns.changes],
  });
  return (
    <div className="flex flex-col items-start gap-3 text-muted text-sm">
      <p>
        Its DNS is managed here. Records that follow the app's address replace the A, AAAA, CNAME and ALIAS
        records of this name.
      </p>
      <Button
        size="sm"
        aria-label={`Set DNS records of ${domain}`}
        {...point.button}
        onClick={() => point.run({ id: projectId, name: domain })}
      >
        Set DNS records
      </Button>
    </div>
  );
}

interface RecordFactsProps {
  title: string;
  domain: string;
  type: string;
  name: string;
  value: string;
}

function RecordFacts({ title, domain, type, name, value }: RecordFactsProps) {
  return (
    <div>
      <p className="font-medium text-fg">{title}</p>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4">
        <CopyFact term="Name" value={name} label={`Copy the ${type} record name for ${domain}`} />
        <CopyFact term="Value" value={value} label={`Copy the ${type} record value for ${domain}`} />
      </dl>
    </div>
  );
}
