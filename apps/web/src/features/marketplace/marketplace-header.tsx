import { PageHeader } from '../../ui/page-header.tsx';

/** The heading of the marketplace, there before its items are. */
export function MarketplaceHeader() {
  return (
    <PageHeader
      title="Marketplace"
      description="Templates and services that are set up for you, and go again as a whole."
    />
  );
}
