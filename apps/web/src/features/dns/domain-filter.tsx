import { trpc } from '../../trpc.ts';
import { Select } from '../../ui/select.tsx';

/** Stands for no filter; no domain is called so. */
const ALL = '*';

export interface DomainFilterProps {
  domain: string | undefined;
  onDomainChange: (domain: string | undefined) => void;
}

/** Shows the records of one domain, or of all. */
export function DomainFilter({ domain, onDomainChange }: DomainFilterProps) {
  const [zones] = trpc.dns.zones.useSuspenseQuery();
  const options = [
    { value: ALL, label: 'All domains' },
    ...zones.map((zone) => ({ value: zone.domain, label: `${zone.domain} (${zone.recordCount})` })),
  ];
  // The address may name one without records.
  if (domain && !zones.some((zone) => zone.domain === domain)) {
    options.push({ value: domain, label: `${domain} (0)` });
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
