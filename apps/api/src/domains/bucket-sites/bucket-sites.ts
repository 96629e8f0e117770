import type { contract } from '@nephos/contracts';
import { findAppRecords } from '../custom-domains/app-records/find-app-records.ts';
import { pointName } from '../custom-domains/app-records/point-name.ts';
import {
  issueCertificate,
  removeCertificate,
  setCertificate,
  updateCertificate,
} from '../custom-domains/certificates.ts';
import type { CustomDomainsParts } from '../custom-domains/custom-domains.ts';
import { addDomain, checkDomain, removeDomain, updateDomain } from '../custom-domains/service.ts';
import type { Domain } from '../domain.ts';
import { findSite, removeSite, setSite } from './service.ts';

const bucketOf = <Input extends { id: string }>(input: Input) => ({ kind: 'bucket' as const, ...input });

/** Public buckets as web sites, at domains of their owners'. */
export function createBucketSites(parts: CustomDomainsParts): Domain<typeof contract.bucketSites> {
  return {
    handlers: {
      get: ({ ctx, input }) => findSite(ctx, parts, input.id),
      set: ({ ctx, input }) => setSite(ctx, parts, input),
      remove: ({ ctx, input }) => removeSite(ctx, input.id),
      addDomain: ({ ctx, input, once }) => addDomain(ctx, parts, bucketOf(input), once),
      checkDomain: ({ ctx, input, once }) => checkDomain(ctx, parts, bucketOf(input), once),
      updateDomain: ({ ctx, input }) => updateDomain(ctx, parts, bucketOf(input)),
      domainRecords: ({ ctx, input }) => findAppRecords(ctx, parts, bucketOf(input)),
      pointDomain: ({ ctx, input, once }) => pointName(ctx, parts, bucketOf(input), once),
      setCertificate: ({ ctx, input }) => setCertificate(ctx, parts, bucketOf(input)),
      updateCertificate: ({ ctx, input }) => updateCertificate(ctx, parts, bucketOf(input)),
      removeCertificate: ({ ctx, input }) => removeCertificate(ctx, parts, bucketOf(input)),
      issueCertificate: ({ ctx, input }) => issueCertificate(ctx, parts, bucketOf(input)),
      removeDomain: ({ ctx, input }) => removeDomain(ctx, parts, bucketOf(input)),
    },
  };
}
