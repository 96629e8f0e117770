import type { CustomDomain, CustomDomains } from '@nephos/contracts';
import { RecordsToSet } from '../../lib/records-to-set.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';

interface DomainRecordsProps extends Pick<CustomDomains, 'target' | 'addresses' | 'served'> {
  projectId: string;
  domain: CustomDomain;
}

/** What to write at the DNS provider, or a button that does where that is this server. */
export function DomainRecords({ projectId, domain: own, target, addresses, served }: DomainRecordsProps) {
  const { domain } = own;
  // The zone may be here and prove nothing: anyone could have made it.
  if (served.includes(domain) && own.reason === '')
    return <SetRecords projectId={projectId} domain={domain} />;
  return <RecordsToSet domain={own} target={target} addresses={addresses} thing="app" />;
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
