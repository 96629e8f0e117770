import { trpc } from '../../lib/trpc.ts';

/** What domains lead to: a project's app, or the site of a bucket. */
export interface Place {
  kind: 'project' | 'bucket';
  id: string;
}

export interface OfDomain {
  place: Place;
  domain: string;
}

/** What it is called. */
export const THINGS = { project: 'app', bucket: 'site' } as const;

const { customDomains, bucketSites } = trpc;

/** The writes of domains: what a domain leads to says which. */
const CALLS = {
  project: {
    ...{ add: customDomains.add, update: customDomains.update, check: customDomains.check },
    ...{ remove: customDomains.remove, point: customDomains.point },
    setCertificate: customDomains.setCertificate,
    updateCertificate: customDomains.updateCertificate,
    removeCertificate: customDomains.removeCertificate,
    issueCertificate: customDomains.issueCertificate,
  },
  bucket: {
    ...{ add: bucketSites.addDomain, update: bucketSites.updateDomain, check: bucketSites.checkDomain },
    ...{ remove: bucketSites.removeDomain, point: bucketSites.pointDomain },
    setCertificate: bucketSites.setCertificate,
    updateCertificate: bucketSites.updateCertificate,
    removeCertificate: bucketSites.removeCertificate,
    issueCertificate: bucketSites.issueCertificate,
  },
} as const;

/** The writes of a place's domains, and the query that shows them. */
export function useDomainCalls({ kind }: Place) {
  const { customDomains, bucketSites } = trpc.useUtils();
  return { ...CALLS[kind], refresh: [kind === 'project' ? customDomains.list : bucketSites.get] };
}
