import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** A host name of one's own at which a project's app answers, or the site of a bucket. */
export interface CustomDomainsTable {
  id: Generated<string>;
  ownerId: string;
  /** Null where it leads to a bucket. */
  projectId: string | null;
  /** Null where it leads to a project. */
  bucketId: string | null;
  /** Lower case, A-labels, no final dot. Any number of accounts may claim one; it is proven to be one's alone. */
  domain: string;
  /** One of those of a project or a bucket. */
  isPrimary: boolean;
  /** Never set for the primary one. */
  redirects: Generated<boolean>;
  /** Since when the app answers there; null while nobody saw that it is the owner's. */
  provenAt: string | null;
  /** What the last check found wrong with the proof. */
  problem: 'missing' | 'mismatch' | 'unreachable' | 'taken' | null;
  /** Checks in a row that found a problem. */
  failures: Generated<number>;
  /** Addresses that the project's name below the domain of apps had at the last check. */
  serverAddresses: Generated<string[]>;
  /** Whether the domain had one of these then; null where that cannot be told. */
  pointsHere: boolean | null;
  checkedAt: string | null;
  nextCheckAt: GeneratedInstant;
  createdAt: GeneratedInstant;
}

/** What proves to visitors of an own domain whose it is. */
export interface DomainCertificatesTable {
  domainId: string;
  ownerId: string;
  /** PEM, the domain's own first, each followed by the one that issued it. */
  chain: string;
  /** PKCS #8 in PEM, by the secrets box. */
  sealedKey: Buffer;
  /** As one names it. */
  issuer: string;
  endsAt: string;
  /** Whether requests by http are redirected to https. */
  httpsOnly: Generated<boolean>;
  /** Whether it came from the authority, and is renewed there; else its owner gave it. */
  managed: Generated<boolean>;
  updatedAt: GeneratedInstant;
}
