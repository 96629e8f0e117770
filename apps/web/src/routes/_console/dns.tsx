import { createFileRoute } from '@tanstack/react-router';
import { DnsPage } from '../../features/dns/dns-page.tsx';
import { dnsSearch } from '../../features/dns/dns-search.ts';
import { DnsSkeleton } from '../../features/dns/dns-skeleton.tsx';
import { firstRecords } from '../../features/dns/record-pages.ts';
import { KEYSET_PAGES } from '../../lib/keyset-pages.ts';

export const Route = createFileRoute('/_console/dns')({
  validateSearch: dnsSearch,
  // The filter is no part of what identifies the page: changing it keeps what is shown until the rest is there.
  loader: ({ context: { utils }, location }) =>
    Promise.all([
      utils.dns.list.fetchInfinite(firstRecords(dnsSearch(location.search).domain), {
        ...KEYSET_PAGES,
        pages: 1,
      }),
      utils.dns.zones.ensureData(),
      utils.dns.nameServer.ensureData(),
    ]),
  pendingComponent: DnsSkeleton,
  component: DnsPage,
});
