import { type BucketSite, bucketSites } from '@nephos/contracts';
import { domainCalls } from './mock-custom-domains.ts';
import { found, implement, success } from './mock-implement.ts';
import type { MockWorld } from './mock-world.ts';

function siteOf({ site, servesHttps, servedDomains, domains }: MockWorld): BucketSite {
  return {
    ...{ index: null, notFound: null, ...site },
    ...{ target: 'sites.apps.example.net', addresses: [], served: servedDomains, servesHttps, domains },
  };
}

const { add, check, update, remove, ...certificates } = domainCalls;

export const bucketSitesMock = implement(bucketSites, {
  ...certificates,
  ...{ addDomain: add, checkDomain: check, updateDomain: update, removeDomain: remove },
  get: ({ ctx: { world }, input }) => {
    found(world.buckets, input.id);
    return siteOf(world);
  },
  set: ({ ctx: { world }, input: { index = 'index.html', notFound = '404.html' } }) => {
    world.site = { index, notFound };
    return siteOf(world);
  },
  remove: ({ ctx: { world } }) => {
    world.site = null;
    return success;
  },
  domainRecords: ({ ctx }) => ctx.world.leadingRecords,
  pointDomain: ({ ctx }) => ctx.world.leadingRecords,
});
