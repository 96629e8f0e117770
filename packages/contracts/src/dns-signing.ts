import { z } from 'zod';
import { DnsDomain } from './dns-records.ts';
import { mutation, query } from './kit.ts';

const OfDomain = z.object({ domain: DnsDomain });

/** A key that signs a domain: ECDSA P-256 with SHA-256. */
export const ZoneKey = z.object({
  keyTag: z.int(),
  /**
   * `incoming`: announced, so that its DS record can be added beside that of the active one. `active`: signs.
   * `retiring`: signs nothing new, and stays for what is still in caches.
   */
  state: z.enum(['incoming', 'active', 'retiring']),
  /** When an incoming key may become active at the earliest, or a retiring one goes; null of an active one. */
  until: z.iso.datetime().nullable(),
  /** Data of the DS record (SHA-256) that the domain above has to publish. */
  ds: z.string(),
  /** Data of the DNSKEY record, which some registrars ask for in its place. */
  dnskey: z.string(),
});
export type ZoneKey = z.output<typeof ZoneKey>;

/** Whether and by which keys a domain is signed. */
export const ZoneSigning = z.object({
  domain: z.string(),
  /** None: it is not signed. Active first. */
  keys: z.array(ZoneKey),
});
export type ZoneSigning = z.output<typeof ZoneSigning>;

/** What the domain above publishes, as resolvers see it now. */
export const ParentDelegation = z.object({
  /** False where no resolver answered. */
  known: z.boolean(),
  /** Tags of the domain's keys whose DS records it has. */
  keyTags: z.array(z.int()),
  /** How many DS records it has that are of no key of this domain. */
  others: z.int(),
});
export type ParentDelegation = z.output<typeof ParentDelegation>;

/** Each costs a question to a resolver, as looking for a proof of ownership does. */
const LOOKS_PER_MINUTE = 20;

/** Rows of the domain `dns` that are about DNSSEC. */
export const dnsSigning = {
  signing: query({
    summary: 'Whether a domain is signed (DNSSEC), and what to enter at its registrar',
    route: 'GET /api/dns-zones/{domain}/dnssec',
    input: OfDomain,
    output: ZoneSigning,
  }),
  parentDelegation: query({
    summary: 'Which DS records of a domain resolvers see',
    route: 'GET /api/dns-zones/{domain}/dnssec/parent',
    perMinute: LOOKS_PER_MINUTE,
    input: OfDomain,
    output: ParentDelegation,
  }),
  sign: mutation({
    summary: 'Sign a domain (DNSSEC); a domain that is signed already stays as it is',
    route: 'POST /api/dns-zones/{domain}/dnssec',
    perMinute: 20,
    input: OfDomain,
    output: ZoneSigning,
  }),
  unsign: mutation({
    summary: 'Stop signing a domain; refused while resolvers see a DS record of it, unless `anyway` is set',
    route: 'POST /api/dns-zones/{domain}/dnssec/unsign',
    perMinute: LOOKS_PER_MINUTE,
    // What is looked up on the internet precedes the transaction in which a key is kept.
    keepsKeys: true,
    input: OfDomain.extend({
      /** Whether validating resolvers may refuse the domain until its DS record is gone. */
      anyway: z.boolean().default(false),
    }),
    output: ZoneSigning,
  }),
  rollKey: mutation({
    summary: 'Begin to replace the key of a signed domain: announces a new one',
    route: 'POST /api/dns-zones/{domain}/dnssec/roll',
    perMinute: 20,
    input: OfDomain,
    output: ZoneSigning,
  }),
  cancelRoll: mutation({
    summary: 'Take back a new key that does not sign yet; refused while resolvers see a DS record of it',
    route: 'POST /api/dns-zones/{domain}/dnssec/cancel-roll',
    perMinute: LOOKS_PER_MINUTE,
    keepsKeys: true,
    input: OfDomain,
    output: ZoneSigning,
  }),
  finishRoll: mutation({
    summary: 'Sign with the new key from now on, once resolvers see its DS record',
    route: 'POST /api/dns-zones/{domain}/dnssec/finish-roll',
    perMinute: LOOKS_PER_MINUTE,
    keepsKeys: true,
    input: OfDomain,
    output: ZoneSigning,
  }),
};
