import { readValue } from '@nephos/contracts';
import type { Settings } from '../../../core/settings.ts';
import type { ZoneRecord } from '../../dns/zone-rules.ts';
import { targetOf } from '../look.ts';

/** Types by which a name can lead to an app; a name that follows one has no others of them. */
export const LEADING_TYPES: readonly ZoneRecord['recordType'][] = ['A', 'AAAA', 'CNAME', 'ALIAS'];

/** Where an app is reached. */
export interface AppAddress {
  slug: string;
  /** Empty where they are not known. */
  addresses: readonly string[];
}

export interface LeadingName {
  name: string;
  ttl: number;
  /** Whether a CNAME record may stand there: it leads to the app without its addresses. */
  takesAlias: boolean;
}

/** The records by which a name leads to an app; none where nothing is known that it could lead to. */
export function recordsTo(
  settings: Pick<Settings, 'appsDomain'>,
  { slug, addresses }: AppAddress,
  { name, ttl, takesAlias }: LeadingName,
): ZoneRecord[] {
  const target = targetOf(settings, slug);
  if (takesAlias && target !== null) return [{ name, ttl, recordType: 'CNAME', value: target }];
  return addresses.flatMap((address) => {
    const recordType = address.includes(':') ? 'AAAA' : 'A';
    const reading = readValue(recordType, address);
    return reading.ok ? [{ name, ttl, recordType, value: reading.text } as const] : [];
  });
}
