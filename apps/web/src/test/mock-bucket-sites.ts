import { bucketSites } from '@nephos/contracts';
import { found, implement, success } from './mock-implement.ts';
import { mockDomain } from './mock-world.ts';

export const bucketSitesMock = implement(bucketSites, {
  get: ({ ctx: { world }, input }) => {
    found(world.buckets, input.id);
    const place = { target: 'sites.apps.example.net', addresses: [], servesHttps: world.servesHttps };
    return { index: null, notFound: null, ...world.site, ...place, domains: world.domains };
  },
  set: ({ ctx: { world }, input: { index = 'index.html', notFound = '404.html' } }) => {
    world.site = { index, notFound };
    const place = { target: 'sites.apps.example.net', addresses: [], servesHttps: world.servesHttps };
    return { ...world.site, ...place, domains: world.domains };
  },
  remove: ({ ctx: { world } }) => {
    world.site = null;
    return success;
  },
  addDomain: ({ ctx: { world }, input: { domain } }) => {
    const pending = { status: 'pending', isPrimary: false, pointsHere: null } as const;
    const added = mockDomain({ ...pending, domain, reason: 'No TXT record was found.' });
    world.domains = [...world.domains, added];
    return added;
  },
  checkDomain: ({ ctx: { world }, input }) =>
    found(world.domains, world.domains.find(({ domain }) => domain === input.domain)?.id ?? ''),
  removeDomain: ({ ctx: { world }, input }) => {
    world.domains = world.domains.filter(({ domain }) => domain !== input.domain);
    return success;
  },
});
