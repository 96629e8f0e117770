import { z } from 'zod';
import { DNS_NAME_MAX } from './dns-names.ts';
import { AppName, DeleteRecords, DnsDomain, DnsRecord } from './dns-records.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';
import { DOMAIN_PROOF_LABEL, MAX_CUSTOM_DOMAINS } from './run-defaults.ts';
import { paragraph } from './text.ts';

/** Characters of a domain, so that the name of its proof is one as well. */
const DOMAIN_MAX = DNS_NAME_MAX - DOMAIN_PROOF_LABEL.length - 1;

/** Characters: a dozen certificates, and a key of RSA with 8192 bits. */
const CERTIFICATE_MAX = 32_768;
const KEY_MAX = 8192;

/** Blocks of RFC 7468, as far as can be told without reading them. */
function pem(max: number, label: string) {
  return paragraph(max, label).refine(
    (text) => text.includes('-----BEGIN '),
    `${label} must be in PEM format, starting with -----BEGIN.`,
  );
}

/** A project's domain as one writes it: a host name of two labels at least, IDN as A-labels, without a port. */
const OwnDomain = DnsDomain.refine(
  (domain) => domain.length <= DOMAIN_MAX,
  `Domain can have at most ${DOMAIN_MAX} characters.`,
);

/** What 409 means where a domain is added. */
export const DOMAIN_TAKEN = 'You have this domain elsewhere, or another workspace has it';

/** What a domain answers by https with. Its key is told nobody. */
export const DomainCertificate = z.object({
  issuer: z.string(),
  /** Until when it is valid. */
  endsAt: z.iso.datetime(),
  isExpired: z.boolean(),
  /** Whether requests by http are redirected to https while it is valid. */
  httpsOnly: z.boolean(),
  /** Whether it comes from the server's certificate authority, and is renewed by itself. */
  managed: z.boolean(),
});
export type DomainCertificate = z.output<typeof DomainCertificate>;

/** What the server's certificate authority is to do for a domain next. */
const CertificateIssuance = z.object({
  /** Why it issued nothing the last time, in its own words; '' where nothing failed. */
  error: z.string(),
  /** When it is asked again; of a certificate without a failure, when that is renewed. */
  dueAt: z.iso.datetime(),
});

/** A host name of one's own at which a project's app answers. */
export const CustomDomain = z.object({
  id: Id,
  /** Lower case, A-labels (RFC 5890), no final dot. */
  domain: z.string(),
  /** Where the app answers, once the domain is active. */
  url: z.string(),
  /** Requests for a `pending` domain do not reach the app: that it is yours has not been seen. */
  status: z.enum(['active', 'pending']),
  /** The one that others can redirect to. */
  isPrimary: z.boolean(),
  /** Whether it answers with a redirect to the primary one, path and query kept, while that is active. */
  redirects: z.boolean(),
  /** What is wrong with the proof of ownership, in a sentence or two; '' where nothing is. */
  reason: z.string(),
  /** The TXT record that proves ownership. It has to stay. */
  verification: z.object({ name: z.string(), value: z.string() }),
  /** Whether the domain led to this server when it was checked last; null where that cannot be told. */
  pointsHere: z.boolean().nullable(),
  /** Null where there is none, or something else answers by https. */
  certificate: DomainCertificate.nullable(),
  /** Null where there is no authority, the domain is pending, or has a certificate of its owner's. */
  issuance: CertificateIssuance.nullable(),
  checkedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type CustomDomain = z.output<typeof CustomDomain>;

/** A project's domains, and what its DNS records have to lead to. */
export const CustomDomains = z.object({
  /** For a CNAME record; null where no DNS knows the server's own name. */
  target: z.string().nullable(),
  /** For A and AAAA records, as of the newest check; empty where they are not known. */
  addresses: z.array(z.string()),
  /** Those of the domains whose records are kept here, where they can be pointed to the app at once. */
  served: z.array(z.string()),
  /** Whether this server answers by https, and so needs certificates. */
  servesHttps: z.boolean(),
  /** Oldest first. */
  domains: z.array(CustomDomain),
});
export type CustomDomains = z.output<typeof CustomDomains>;

export const NewCustomDomain = z.object({ id: Id.describe('The project'), domain: OwnDomain });
export type NewCustomDomain = z.input<typeof NewCustomDomain>;

const ByDomain = z.object({ id: Id.describe('The project'), domain: DnsDomain });

/** What can change of a domain: it becomes the primary one, or redirects to that or not. */
export const CustomDomainChange = ByDomain.extend({
  isPrimary: z.literal(true, 'Make another domain the primary one instead.').optional(),
  redirects: z.boolean().optional(),
});

/** A certificate with its chain and its key, each as PEM. */
export const NewDomainCertificate = ByDomain.extend({
  certificate: pem(CERTIFICATE_MAX, 'Certificate'),
  privateKey: pem(KEY_MAX, 'Private key'),
});
export type NewDomainCertificate = z.input<typeof NewDomainCertificate>;

export const DomainCertificateChange = ByDomain.extend({ httpsOnly: z.boolean() });

export const customDomains = {
  list: query({
    summary: "A project's domains, oldest first, and what their DNS records have to lead to",
    route: 'GET /api/projects/{id}/domains',
    forAssistant: true,
    input: ById,
    output: CustomDomains,
  }),
  records: query({
    summary:
      "Your DNS records that lead to a project's app, its previews or one of its domains, and their proofs",
    route: 'GET /api/projects/{id}/dns-records',
    input: z.object({
      id: Id.describe('The project'),
      /** Only the records that concern this domain of the project. */
      domain: DnsDomain.optional(),
    }),
    output: z.array(DnsRecord),
  }),
  point: mutation({
    summary:
      "Point a name of a domain served here to a project's app: in the place of its addresses, with records that follow the app's",
    route: 'POST /api/projects/{id}/dns-records',
    refusals: {
      409: 'None of your domains includes the name, or the app has no public address',
    },
    perMinute: 20,
    // What is looked up on the internet precedes the transaction in which a key is kept.
    keepsKeys: true,
    input: AppName.extend({ id: Id.describe('The project') }),
    output: z.array(DnsRecord),
  }),
  add: mutation({
    summary: 'Add a domain to a project. The app answers there once ownership is verified by a TXT record',
    route: 'POST /api/projects/{id}/domains',
    status: 201,
    refusals: {
      403: `The project has ${MAX_CUSTOM_DOMAINS} domains`,
      409: DOMAIN_TAKEN,
    },
    perMinute: 20,
    // What is looked up on the internet precedes the transaction in which a key is kept.
    keepsKeys: true,
    input: NewCustomDomain,
    output: CustomDomain,
  }),
  update: mutation({
    summary: "Make a domain the project's primary one, or have it redirect to that",
    route: 'PATCH /api/projects/{id}/domains/{domain}',
    refusals: { 409: "The primary domain can't redirect to itself" },
    perMinute: 60,
    input: CustomDomainChange,
    output: CustomDomain,
  }),
  check: mutation({
    summary: "Check a domain's DNS records again",
    route: 'POST /api/projects/{id}/domains/{domain}/check',
    perMinute: 10,
    keepsKeys: true,
    input: ByDomain,
    output: CustomDomain,
  }),
  setCertificate: mutation({
    summary:
      "Add a domain's certificate with its private key, or replace it. The app answers by https at once",
    route: 'PUT /api/projects/{id}/domains/{domain}/certificate',
    refusals: { 503: 'HTTPS is off' },
    perMinute: 20,
    input: NewDomainCertificate,
    output: CustomDomain,
  }),
  updateCertificate: mutation({
    summary: 'Say whether a domain with a certificate redirects requests by http to https',
    route: 'PATCH /api/projects/{id}/domains/{domain}/certificate',
    perMinute: 60,
    input: DomainCertificateChange,
    output: CustomDomain,
  }),
  removeCertificate: mutation({
    summary: "Delete a domain's certificate and key. The app no longer answers there by https",
    route: 'DELETE /api/projects/{id}/domains/{domain}/certificate',
    refusals: { 409: 'The certificate is renewed automatically' },
    perMinute: 60,
    input: ByDomain,
    output: Success,
  }),
  issueCertificate: mutation({
    summary: "Ask the certificate authority for a domain's certificate again, after it failed",
    route: 'POST /api/projects/{id}/domains/{domain}/certificate/issue',
    refusals: { 409: 'Nothing failed', 503: 'No certificate authority is set up' },
    perMinute: 10,
    input: ByDomain,
    output: CustomDomain,
  }),
  remove: mutation({
    summary: 'Remove a domain from a project. The app no longer answers there',
    route: 'DELETE /api/projects/{id}/domains/{domain}',
    refusals: { 409: 'Another DNS record needs one that would be deleted' },
    perMinute: 60,
    input: ByDomain.extend({ deleteRecords: DeleteRecords }),
    output: Success,
  }),
};
