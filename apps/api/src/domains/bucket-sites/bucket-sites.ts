import type { contract } from '@nephos/contracts';
import type { CustomDomainsParts } from '../custom-domains/custom-domains.ts';
import { checkSiteDomain, removeSiteDomain } from '../custom-domains/site-domains.ts';
import type { Domain } from '../domain.ts';
import { addDomain, findSite, removeSite, setSite } from './service.ts';

/** Public buckets as web sites, at domains of their owners'. */
export function createBucketSites(parts: CustomDomainsParts): Domain<typeof contract.bucketSites> {
  return {
    handlers: {
      get: ({ ctx, input }) => findSite(ctx, parts, input.id),
      set: ({ ctx, input }) => setSite(ctx, parts, input),
      remove: ({ ctx, input }) => removeSite(ctx, input.id),
      addDomain: ({ ctx, input, once }) => addDomain(ctx, parts, input, once),
      checkDomain: ({ ctx, input, once }) => checkSiteDomain(ctx, parts, input, once),
      removeDomain: ({ ctx, input }) => removeSiteDomain(ctx, input),
    },
  };
}
