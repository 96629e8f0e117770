import { createFileRoute } from '@tanstack/react-router';
import { MobileAppsPage } from '../../features/mobile-apps/mobile-apps-page.tsx';
import { mobileAppsSearch } from '../../features/mobile-apps/mobile-apps-search.ts';
import { loadFirstPage } from '../../lib/first-page.ts';
import { firstOf } from '../../lib/list-view.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/mobile-apps')({
  validateSearch: mobileAppsSearch,
  loader: ({ context: { utils }, location }) =>
    loadFirstPage(utils.mobileApps.list, firstOf(mobileAppsSearch(location.search))),
  pendingComponent: () => (
    <PageSkeleton
      label="Loading mobile apps"
      heading={HEADINGS.mobileApps}
      action="w-40"
      cards={{ height: 'h-54', icon: true, badge: true, lines: 2, button: 'w-28' }}
    />
  ),
  component: MobileAppsPage,
});
