import { createFileRoute } from '@tanstack/react-router';
import { LateActivity } from '../../features/activity/late-activity.tsx';
import { DnsPage } from '../../features/dns/dns-page.tsx';
import { dnsSearch, ofDomain } from '../../features/dns/dns-search.ts';
import { loadFirstPage } from '../../lib/first-page.ts';
import { firstOf } from '../../lib/list-view.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { DataList } from '../../ui/data-list.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

const OUTLINE = ['Domain', 'Type', 'Name', 'Value', 'TTL'].map((heading) => ({
  heading,
  cell: () => null,
  skeleton: 'h-5',
}));

export const Route = createFileRoute('/_console/dns')({
  validateSearch: dnsSearch,
  // The filter is no part of what identifies the page: changing it keeps what is shown until the rest is there.
  loader: ({ context: { utils }, location }) => {
    const search = dnsSearch(location.search);
    return Promise.all([
      loadFirstPage(utils.dns.list, ofDomain(firstOf(search), search.domain)),
      utils.dns.zones.ensureData(),
      utils.dns.nameServer.ensureData(),
    ]);
  },
  pendingComponent: () => (
    <PageSkeleton
      label="Loading DNS records"
      heading={HEADINGS.dns}
      action="w-32"
      bars={['mb-4 h-9 sm:w-72']}
    >
      <DataList label="Loading DNS records" columns={OUTLINE} rows={undefined} />
    </PageSkeleton>
  ),
  component: Page,
});

function Page() {
  const { domain } = Route.useSearch();
  return (
    <>
      <DnsPage />
      {domain && <LateActivity key={domain} id={domain} />}
    </>
  );
}
