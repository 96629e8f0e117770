import { createFileRoute } from '@tanstack/react-router';
import { MarketplacePage } from '../../features/marketplace/marketplace-page.tsx';
import { marketplaceSearch } from '../../features/marketplace/marketplace-search.ts';
import { MarketplaceSkeleton } from '../../features/marketplace/marketplace-skeleton.tsx';

export const Route = createFileRoute('/_console/marketplace')({
  validateSearch: marketplaceSearch,
  loader: ({ context: { utils } }) =>
    Promise.all([
      utils.marketplace.list.ensureData(),
      utils.marketplace.installations.ensureData(),
      utils.billing.status.ensureData(),
      // Without it one can still look around.
      utils.billing.activeSubscription.prefetch(),
    ]),
  pendingComponent: MarketplaceSkeleton,
  component: MarketplacePage,
});
