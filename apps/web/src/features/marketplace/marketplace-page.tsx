import type { Installation, MarketplaceItem } from '@nephos/contracts';
import { PackageOpen, SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { AccessBanner } from './access-banner.tsx';
import { type CatalogueFilter, categoriesOf, filterItems } from './catalogue-filter.ts';
import { ItemCard } from './item-card.tsx';
import { type MarketplaceTab, useMarketplaceView } from './marketplace-search.ts';
import { useInstallations } from './use-installations.ts';

const InstallDialog = lateDialog({ fields: 2 }, () =>
  import('./install-dialog.tsx').then(({ InstallDialog }) => InstallDialog),
);

const NO_FILTER = { text: '', category: undefined };

export function MarketplacePage() {
  const [items] = trpc.marketplace.list.useSuspenseQuery();
  const installations = useInstallations();
  const { filter, setFilter, tab, setTab, installing, setInstalling } = useMarketplaceView();

  const byItem = new Map(installations.map((installation) => [installation.itemId, installation]));
  const isMine = ({ id }: { id: string }) => (byItem.get(id)?.status ?? 'failed') !== 'failed';
  const found = filterItems(items, filter);
  const mine = found.filter(isMine);
  const chosen = items.find((item) => item.id === installing && !isMine(item));
  const grid = { installations: byItem, onInstall: setInstalling };
  const noneFound = <NoItemsFound onClear={() => setFilter(NO_FILTER)} />;

  return (
    <>
      <PageHeader {...HEADINGS.marketplace} />
      <AccessBanner />
      <FilterBar filter={filter} onFilterChange={setFilter} categories={categoriesOf(items)} />
      {/* Radix speaks of strings; only the values below can be chosen. */}
      <Tabs value={tab} onValueChange={(value) => setTab(value as MarketplaceTab)}>
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
      {chosen && <InstallDialog key={chosen.id} item={chosen} onClose={() => setInstalling(undefined)} />}
    </>
  );
}

function NoItemsFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No items found"
      description="No items match your search and category."
      action={<Button onClick={onClear}>Show all items</Button>}
    />
  );
}

function NoInstalledItems({ onBrowse }: { onBrowse: () => void }) {
  return (
    <EmptyState
      icon={PackageOpen}
      title="No installed items"
      description="Items you install appear here, with everything they created."
      action={<Button onClick={onBrowse}>Browse all items</Button>}
    />
  );
}

interface ItemGridProps {
  /** Accessible name: which items they are. */
  label: string;
  items: readonly MarketplaceItem[];
  installations: ReadonlyMap<string, Installation>;
  onInstall: (id: string) => void;
}

function ItemGrid({ label, items, installations, onInstall }: ItemGridProps) {
  return (
    <ul aria-label={label} className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-3">
      {items.map((item) => (
        <li key={item.id} className="min-w-0">
          <ItemCard
            item={item}
            installation={installations.get(item.id)}
            onInstall={() => onInstall(item.id)}
          />
        </li>
      ))}
    </ul>
  );
}

/** Stands for no filter; no category is called so. */
const ALL = '*';

interface FilterBarProps {
  filter: CatalogueFilter;
  onFilterChange: (filter: CatalogueFilter) => void;
  categories: readonly string[];
}

/** Narrows the catalogue by words and by category. */
function FilterBar({ filter, onFilterChange, categories }: FilterBarProps) {
  const { category } = filter;
  const options = [
    { value: ALL, label: 'All Categories' },
    ...categories.map((name) => ({ value: name, label: name })),
  ];
  // The address may name one that the catalogue does not have.
  if (category !== undefined && !categories.includes(category)) {
    options.push({ value: category, label: category });
  }
  return (
    <div className="mb-4 flex flex-wrap gap-3">
      <SearchBox text={filter.text} onTextChange={(text) => onFilterChange({ ...filter, text })} />
      <Select
        aria-label="Category"
        value={category ?? ALL}
        onValueChange={(chosen) =>
          onFilterChange({ ...filter, category: chosen === ALL ? undefined : chosen })
        }
        options={options}
        className="sm:w-56"
      />
    </div>
  );
}

interface SearchBoxProps {
  text: string;
  onTextChange: (text: string) => void;
}

/** Shows what is typed at once: the address, where it is kept, comes a moment later. */
function SearchBox({ text, onTextChange }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);

  // A link may change it; whoever is typing is not interrupted by what they typed a moment ago.
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(text);
  }, [text]);

  return (
    <SearchInput
      ref={input}
      label="Search the marketplace"
      value={typed}
      onChange={({ target: { value } }) => {
        setTyped(value);
        onTextChange(value);
      }}
      className="grow basis-64"
    />
  );
}
