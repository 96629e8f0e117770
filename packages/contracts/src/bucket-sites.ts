import { z } from 'zod';
import { DEFAULT_NOT_FOUND_DOCUMENT, DEFAULT_SITE_INDEX, MAX_KEY_BYTES } from './constants.ts';
import {
  CustomDomain,
  CustomDomainChange,
  CustomDomains,
  DOMAIN_TAKEN,
  DomainCertificateChange,
  NewCustomDomain,
  NewDomainCertificate,
} from './custom-domains.ts';
import { AppName, DeleteRecords, DnsDomain, DnsRecord } from './dns-records.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';
import { MAX_CUSTOM_DOMAINS } from './run-defaults.ts';
import { FileName } from './stored-files.ts';
import { line } from './text.ts';

const Bucket = Id.describe('The bucket');

/** A public bucket as a web site, and the domains at which it answers. */
export const BucketSite = CustomDomains.extend({
  /** The file of a folder that is sent for the folder's address; null while the bucket is no site. */
  index: z.string().nullable(),
  /** The file that is sent with 404 for what is not there; null for a plain page. */
  notFound: z.string().nullable(),
});
export type BucketSite = z.output<typeof BucketSite>;

const ByDomain = z.object({ id: Bucket, domain: DnsDomain });

export const bucketSites = {
  get: query({
    summary: "A bucket's web site, its domains, oldest first, and what their DNS records have to lead to",
    route: 'GET /api/buckets/{id}/site',
    input: ById,
    output: BucketSite,
  }),
  set: mutation({
    summary: 'Serve a public bucket as a web site, or change which files it answers with',
    route: 'PUT /api/buckets/{id}/site',
    perMinute: 60,
    input: z.object({
      id: Bucket,
      index: FileName.default(DEFAULT_SITE_INDEX),
      notFound: line(MAX_KEY_BYTES, 'Error page')
        .refine((key) => !key.startsWith('/'), 'Error page cannot start with /.')
        .nullable()
        .default(DEFAULT_NOT_FOUND_DOCUMENT),
    }),
    output: BucketSite,
    refusals: { 409: 'The bucket is private' },
  }),
  remove: mutation({
    summary: 'Serve a bucket as a web site no longer; its domains stay, and answer 404',
    route: 'DELETE /api/buckets/{id}/site',
    perMinute: 60,
    input: ById,
    output: Success,
  }),
  addDomain: mutation({
    summary: 'Add a domain to a bucket. The site answers there once ownership is verified by a TXT record',
    route: 'POST /api/buckets/{id}/domains',
    status: 201,
    refusals: {
      403: `The bucket has ${MAX_CUSTOM_DOMAINS} domains`,
      409: DOMAIN_TAKEN,
    },
    perMinute: 20,
    // What is looked up on the internet precedes the transaction in which a key is kept.
    keepsKeys: true,
    input: NewCustomDomain.extend({ id: Bucket }),
    output: CustomDomain,
  }),
  checkDomain: mutation({
    summary: "Check the DNS records of a bucket's domain again",
    route: 'POST /api/buckets/{id}/domains/{domain}/check',
    perMinute: 10,
    keepsKeys: true,
    input: ByDomain,
    output: CustomDomain,
  }),
  updateDomain: mutation({
    summary: "Make a domain the bucket's primary one, or have it redirect to that",
    route: 'PATCH /api/buckets/{id}/domains/{domain}',
    refusals: { 409: "The primary domain can't redirect to itself" },
    perMinute: 60,
    input: CustomDomainChange.extend({ id: Bucket }),
    output: CustomDomain,
  }),
  domainRecords: query({
    summary: "Your DNS records that lead to one of a bucket's domains, and its proof",
    route: 'GET /api/buckets/{id}/domains/{domain}/dns-records',
    input: ByDomain,
    output: z.array(DnsRecord),
  }),
  pointDomain: mutation({
    summary:
      'Point a name of a domain served here to the sites of buckets: in the place of its addresses, with records that follow theirs',
    route: 'POST /api/buckets/{id}/dns-records',
    refusals: { 409: 'None of your domains includes the name, or sites have no public address' },
    perMinute: 20,
    // What is looked up on the internet precedes the transaction in which a key is kept.
    keepsKeys: true,
    input: AppName.extend({ id: Bucket }),
    output: z.array(DnsRecord),
  }),
  setCertificate: mutation({
    summary:
      "Add a domain's certificate with its private key, or replace it. The site answers by https at once",
    route: 'PUT /api/buckets/{id}/domains/{domain}/certificate',
    refusals: { 503: 'HTTPS is off' },
    perMinute: 20,
    input: NewDomainCertificate.extend({ id: Bucket }),
    output: CustomDomain,
  }),
  updateCertificate: mutation({
    summary: 'Say whether a domain with a certificate redirects requests by http to https',
    route: 'PATCH /api/buckets/{id}/domains/{domain}/certificate',
    perMinute: 60,
    input: DomainCertificateChange.extend({ id: Bucket }),
    output: CustomDomain,
  }),
  removeCertificate: mutation({
    summary: "Delete a domain's certificate and key. The site no longer answers there by https",
    route: 'DELETE /api/buckets/{id}/domains/{domain}/certificate',
    refusals: { 409: 'The certificate is renewed automatically' },
    perMinute: 60,
    input: ByDomain,
    output: Success,
  }),
  issueCertificate: mutation({
    summary: "Ask the certificate authority for a domain's certificate again, after it failed",
    route: 'POST /api/buckets/{id}/domains/{domain}/certificate/issue',
    refusals: { 409: 'Nothing failed', 503: 'No certificate authority is set up' },
    perMinute: 10,
    input: ByDomain,
    output: CustomDomain,
  }),
  removeDomain: mutation({
    summary: 'Remove a domain from a bucket. The site no longer answers there',
    route: 'DELETE /api/buckets/{id}/domains/{domain}',
    refusals: { 409: 'Another DNS record needs one that would be deleted' },
    perMinute: 60,
    input: ByDomain.extend({ deleteRecords: DeleteRecords }),
    output: Success,
  }),
};
