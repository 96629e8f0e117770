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
    ...zones.map((zone) => ({ value: zone.domain, label: zone.domain })),
  ];
  // The address may name one without records.
  if (domain && !zones.some((zone) => zone.domain === domain)) {
    options.push({ value: domain, label: domain });
  }
  const count = zones
    .filter((zone) => domain === undefined || zone.domain === domain)
    .reduce((sum, { recordCount }) => sum + recordCount, 0);
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <Select
        aria-label="Domain"
        value={domain ?? ALL}
        onValueChange={(chosen) => onDomainChange(chosen === ALL ? undefined : chosen)}
        options={options}
        className="sm:w-72"
      />
      <p className="text-muted text-sm">{count === 1 ? '1 record' : `${count} records`}</p>
    </div>
  );
}
