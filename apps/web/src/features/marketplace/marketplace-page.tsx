import { PackageOpen, SearchX } from 'lucide-react';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { AccessBanner } from './access-banner.tsx';
import { categoriesOf, filterItems } from './catalogue-filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { InstallDialog } from './install-dialog.tsx';
import { ItemGrid } from './item-grid.tsx';
import { MarketplaceHeader } from './marketplace-header.tsx';
import { type MarketplaceTab, useMarketplaceView } from './marketplace-search.ts';
import { useInstallations } from './use-installations.ts';

const NO_FILTER = { text: '', category: undefined };

export function MarketplacePage() {
  const [items] = trpc.marketplace.list.useSuspenseQuery();
  const installations = useInstallations();
  const { filter, setFilter, tab, setTab, installing, setInstalling } = useMarketplaceView();

  const byItem = new Map(installations.map((installation) => [installation.itemId, installation]));
  const isMine = ({ id }: { id: string }) => (byItem.get(id)?.status ?? 'failed') !== 'failed';
  const found = filterItems(items, filter);
  const mine = found.filter(isMine);
  const grid = { installations: byItem, onInstall: setInstalling };
  const noneFound = <NoItemsFound onClear={() => setFilter(NO_FILTER)} />;

  return (
    <>
      <MarketplaceHeader />
      <AccessBanner />
      <FilterBar filter={filter} onFilterChange={setFilter} categories={categoriesOf(items)} />
      {/* Radix speaks of strings; only the values below can be chosen. */}
      <Tabs value={tab} onValueChange={(chosen) => setTab(chosen as MarketplaceTab)}>
        <TabsList aria-label="Items">
          <TabsTrigger value="all">All Items ({found.length})</TabsTrigger>
          <TabsTrigger value="installed">My Installations ({mine.length})</TabsTrigger>
        </TabsList>
        <TabsContent value="all">
          {found.length === 0 ? noneFound : <ItemGrid label="All items" items={found} {...grid} />}
        </TabsContent>
        <TabsContent value="installed">
          {mine.length > 0 && <ItemGrid label="My installations" items={mine} {...grid} />}
          {mine.length === 0 &&
            (items.some(isMine) ? noneFound : <NoInstalledItems onBrowse={() => setTab('all')} />)}
        </TabsContent>
      </Tabs>
      <InstallDialog
        item={items.find((item) => item.id === installing && !isMine(item))}
        onClose={() => setInstalling(undefined)}
      />
    </>
  );
}

function NoItemsFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No items found"
      description="Nothing here has these words in its name or description, or it is in another category."
      action={<Button onClick={onClear}>Show all items</Button>}
    />
  );
}

function NoInstalledItems({ onBrowse }: { onBrowse: () => void }) {
  return (
    <EmptyState
      icon={PackageOpen}
      title="No installed items"
      description="What you install is listed here, with everything that it made for you."
      action={<Button onClick={onBrowse}>Browse all items</Button>}
    />
  );
}
