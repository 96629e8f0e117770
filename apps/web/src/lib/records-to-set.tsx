import type { CustomDomain, CustomDomains } from '@nephos/contracts';
import { CopyFact } from '../ui/copy-fact.tsx';

interface RecordsToSetProps extends Pick<CustomDomains, 'target' | 'addresses'> {
  domain: Pick<CustomDomain, 'domain' | 'verification'>;
  /** What the domain leads to. */
  thing: 'app' | 'site';
}

const THINGS = { app: 'Apps', site: 'Sites' } as const;

/** What to write at the DNS provider of a domain. */
export function RecordsToSet({ domain: own, target, addresses, thing }: RecordsToSetProps) {
  const { domain, verification } = own;
  const isKnown = target !== null || addresses.length > 0;
  return (
    <div className="flex flex-col gap-4 text-muted text-sm">
      <RecordFacts
        title="TXT record, which proves that you own the domain. Keep it."
        {...{ domain, type: 'TXT', name: verification.name, value: verification.value }}
      />
      {target !== null && (
        <RecordFacts
          title={`CNAME record, which leads the domain to the ${thing}.`}
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
          Then set an A or AAAA record to this server's address. {THINGS[thing]} have no public address of
          their own here: an administrator can set APPS_DOMAIN.
        </p>
      )}
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
