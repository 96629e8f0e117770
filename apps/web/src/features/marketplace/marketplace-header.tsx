import { PageHeader } from '../../ui/page-header.tsx';

/** The heading of the marketplace, there before its items are. */
export function MarketplaceHeader() {
  return (
    <PageHeader
      title="Marketplace"
      description="Templates and services, set up for you in one step and removed just as cleanly."
    />
  );
}
