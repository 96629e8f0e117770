import type { ColumnType, Generated } from 'kysely';
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
  /** How often in a row the proof of an active zone was not found. */
  proofFailures: Generated<number>;
  /** When it is looked for next. */
  proofDueAt: GeneratedInstant;
  /** Since when it is held to be gone; null while it is not. */
  unprovenSince: ColumnType<string | null, string | null | undefined>;
  /** Grows whenever it changes who may copy the zone. */
  transferVersion: Generated<number>;
  createdAt: GeneratedInstant;
}

/** What signs the transfers of a zone, and what tells of its changes (RFC 8945, `hmac-sha256`). */
export interface DnsTransferKeysTable {
  zoneId: string;
  ownerId: string;
  /** A single label, lower case. */
  name: string;
  /** Of its octets in base64. */
  sealedSecret: Buffer;
  createdAt: GeneratedInstant;
}

/** A name server that copies a zone from here. */
export interface DnsSecondariesTable {
  id: Generated<string>;
  ownerId: string;
  zoneId: string;
  /** An IP address in its canonical form. */
  address: string;
  port: number;
  /** The zone's serial that it is being told of, or has; null before the first time. */
  toldSerial: number | null;
  /** How often it was told of that serial. */
  tries: Generated<number>;
  /** When it is told again, or asked how far it is. */
  dueAt: GeneratedInstant;
  /** The serial that it answered with last. */
  serial: number | null;
  answeredAt: string | null;
  /** Since when it has not answered for the zone; null while it does. */
  failingSince: string | null;
  /** A sentence about what it did last instead of copying the zone; '' where nothing is wrong. */
  problem: Generated<string>;
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
  /** The project whose app's address it follows. */
  projectId: Generated<string | null>;
  /** The bucket whose site's address it follows; null where it follows none. */
  bucketId: Generated<string | null>;
  createdAt: GeneratedInstant;
}

/** A record as a change had it. */
export type DnsChangedRecord = Pick<DnsRecordsTable, 'name' | 'recordType' | 'value' | 'ttl'>;

/** One save of a domain's records. Another TTL of a record is one removed and one added. */
export interface DnsChangesTable {
  id: Generated<string>;
  ownerId: string;
  domain: string;
  /** Who did it; null for what nobody did, and once that account is gone. */
  userId: string | null;
  kind: 'edit' | 'import' | 'revert' | 'follow';
  /** The zone's, after it. */
  serial: number;
  added: ColumnType<DnsChangedRecord[], string, never>;
  /** Of `added`, made by the database. */
  addedCount: ColumnType<number, never, never>;
  removed: ColumnType<DnsChangedRecord[], string, never>;
  removedCount: ColumnType<number, never, never>;
  /** Of what it added and removed, as text; made by the database. */
  bytes: ColumnType<number, never, never>;
  createdAt: GeneratedInstant;
}

/** A key that signs a zone; of each state a zone has one at most. A zone without any is not signed. */
export interface DnsZoneKeysTable {
  id: Generated<string>;
  ownerId: string;
  zoneId: string;
  /** Announced and not yet used, in use, or kept for what is in caches. */
  state: 'incoming' | 'active' | 'retiring';
  /** Since when it is in this state. */
  since: GeneratedInstant;
  /** The two coordinates of its point in base64, as a DNSKEY record has them. */
  publicKey: string;
  /** PKCS #8 in base64, sealed. */
  sealedKey: Buffer;
}
