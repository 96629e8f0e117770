import type { CustomDomain, CustomDomains } from '@nephos/contracts';
import { RecordsToSet } from '../../lib/records-to-set.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { type OfDomain, type Place, THINGS, useDomainCalls } from './place.ts';

interface DomainRecordsProps extends Pick<CustomDomains, 'target' | 'addresses' | 'served'> {
  place: Place;
  domain: CustomDomain;
}

/** What to write at the DNS provider, or a button that does where that is this server. */
export function DomainRecords({ place, domain: own, target, addresses, served }: DomainRecordsProps) {
  const { domain } = own;
  // The zone may be here and prove nothing: anyone could have made it.
  if (served.includes(domain) && own.reason === '') return <SetRecords place={place} domain={domain} />;
  return <RecordsToSet domain={own} target={target} addresses={addresses} thing={THINGS[place.kind]} />;
}

function SetRecords({ place, domain }: OfDomain) {
  const { dns } = trpc.useUtils();
  const { refresh, point: call } = useDomainCalls(place);
  const point = useAction(call.useMutation(), {
    success: 'DNS records set',
    failure: 'Failed to set the DNS records',
    serverSpeaks: true,
    refresh: [...refresh, dns.list, dns.zones, dns.changes],
  });
  return (
    <div className="flex flex-col items-start gap-3 text-muted text-sm">
      <p>
        Its DNS is managed here. Records that follow the {THINGS[place.kind]}'s address replace the A, AAAA,
        CNAME and ALIAS records of this name.
      </p>
      <Button
        size="sm"
        aria-label={`Set DNS records of ${domain}`}
        {...point.button}
        onClick={() => point.run({ id: place.id, name: domain })}
      >
        Set DNS records
      </Button>
    </div>
  );
}
