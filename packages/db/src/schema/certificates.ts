import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** Who we are to a certificate authority. */
export interface AcmeAccountsTable {
  /** Address of the authority's directory (RFC 8555 §7.1.1). */
  directory: string;
  /** PKCS #8 in PEM, by the secrets box. */
  sealedKey: Buffer;
  /** As the authority names it; null while it does not know the key. */
  url: string | null;
  createdAt: GeneratedInstant;
}

/** That an authority was asked for a certificate. One that a killed server left counts as failed. */
export interface AcmeAttemptsTable {
  id: Generated<string>;
  /** For whom; null: for the server itself, or that account is gone. */
  ownerId: string | null;
  /** A host name, or `*.` and one. */
  name: string;
  succeeded: Generated<boolean>;
  beganAt: GeneratedInstant;
  /** That of the authority; '' where it is not known, which counts for each. */
  directory: Generated<string>;
  /** That the name belongs to; '' where it is not known. */
  registeredDomain: Generated<string>;
  /** Whether it takes the place of a certificate of the same authority. */
  renews: Generated<boolean>;
}

/** Until when an authority wants to issue nothing. */
export interface AcmeHoldsTable {
  directory: string;
  /** For names of this registered domain; '' for all names of our account there. */
  registeredDomain: string;
  until: string;
  /** The authority's own. */
  words: string;
}

/** What an authority is to be answered while it looks whether a name is ours. */
export interface AcmeChallengesTable {
  id: Generated<string>;
  /** The host that is asked by HTTP, or the owner of the TXT record. */
  name: string;
  token: string;
  answer: string;
  /** The zone that has the record; null: it is asked by HTTP. */
  zoneId: string | null;
  createdAt: GeneratedInstant;
}

/** When a name gets its next certificate from the authority. */
export interface CertificateOrdersTable {
  id: Generated<string>;
  /** A host name, or `*.` and one. */
  name: string;
  /** The own domain that it is for; null: it is a name of the server. */
  domainId: string | null;
  /** Of that domain. */
  ownerId: string | null;
  /** In a row. */
  failures: Generated<number>;
  /** Why the last one failed, in a sentence or two; '' where it did not. */
  error: Generated<string>;
  /** Until when the authority wants to hear nothing of it, after the last failure. */
  heldUntil: string | null;
  dueAt: GeneratedInstant;
  /** That of the authority whose certificate there is; null before the first one, and once another is to issue it. */
  directory: string | null;
  /** When the authority is asked next whether it wants another moment. */
  infoDueAt: GeneratedInstant;
  createdAt: GeneratedInstant;
}

/** What the server serves for a name of its own. */
export interface OwnCertificatesTable {
  /** A host name, or `*.` and one. */
  name: string;
  /** PEM, the name's own first. */
  chain: string;
  /** PKCS #8 in PEM, by the secrets box. */
  sealedKey: Buffer;
  issuer: string;
  endsAt: string;
  updatedAt: GeneratedInstant;
}
