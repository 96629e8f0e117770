import { createFileRoute } from '@tanstack/react-router';
import { MarketplacePage } from '../../features/marketplace/marketplace-page.tsx';
import { marketplaceSearch } from '../../features/marketplace/marketplace-search.ts';
import { WITH_ATTEMPTS } from '../../features/marketplace/use-installations.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/marketplace')({
  validateSearch: marketplaceSearch,
  loader: ({ context: { utils } }) =>
    Promise.all([
      utils.marketplace.list.ensureData(),
      utils.marketplace.installations.ensureData(WITH_ATTEMPTS),
      utils.billing.status.ensureData(),
      // Without it one can still look around.
      utils.billing.activeSubscription.prefetch(),
    ]),
  pendingComponent: () => (
    <PageSkeleton
      label="Loading the marketplace"
      heading={HEADINGS.marketplace}
      bars={['mb-6 h-16 max-sm:h-28', 'mb-4 h-9', 'mb-6 h-10.25']}
      cards={{ height: 'h-56', count: 6, icon: true, lines: 3, button: 'w-20' }}
    />
  ),
  component: MarketplacePage,
});
