import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** A domain that an account has taken; it goes with its last record. */
export interface DnsZonesTable {
  id: Generated<string>;
  ownerId: string;
  /** Lower case, A-labels, no final dot. */
  domain: string;
  /** RFC 1982: of the SOA record; grows with every change of the zone's records. */
  serial: number;
  /** Since when it is served: of its creation where no proof was asked for, else of its proof; null while pending. */
  verifiedAt: string | null;
  createdAt: GeneratedInstant;
}

/** What a domain's next zone has to begin above, for as long as the time alone would not take it there. */
export interface DnsPastSerialsTable {
  domain: string;
  serial: number;
}

export interface DnsRecordsTable {
  id: Generated<string>;
  ownerId: string;
  zoneId: string;
  /** `@`, or relative to the zone's domain; lower case. */
  name: string;
  recordType:
    | 'A'
    | 'AAAA'
    | 'CNAME'
    | 'MX'
    | 'TXT'
    | 'NS'
    | 'CAA'
    | 'SRV'
    | 'PTR'
    | 'TLSA'
    | 'SSHFP'
    | 'HTTPS'
    | 'SVCB'
    | 'DS'
    | 'ALIAS';
  /** Canonical text form of the type; of TXT the plain text. */
  value: string;
  /** Seconds. */
  ttl: number;
  createdAt: GeneratedInstant;
}
