import { createFileRoute } from '@tanstack/react-router';
import { MobileAppsPage } from '../../features/mobile-apps/mobile-apps-page.tsx';
import { mobileAppsSearch } from '../../features/mobile-apps/mobile-apps-search.ts';
import { MobileAppsSkeleton } from '../../features/mobile-apps/mobile-apps-skeleton.tsx';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';

export const Route = createFileRoute('/_console/mobile-apps')({
  validateSearch: mobileAppsSearch,
  loader: ({ context: { utils } }) =>
    utils.mobileApps.list.fetchInfinite(FIRST_PAGE, { ...KEYSET_PAGES, pages: 1 }),
  pendingComponent: MobileAppsSkeleton,
  component: MobileAppsPage,
});
