import { useSearch } from '@tanstack/react-router';
import { useChangeSearch } from '../../lib/use-change-search.ts';
import type { CatalogueFilter } from './catalogue-filter.ts';

export type MarketplaceTab = 'all' | 'installed';

interface MarketplaceSearch {
  q?: string | undefined;
  category?: string | undefined;
  tab?: 'installed' | undefined;
  /** The item whose install dialog is open. */
  install?: string | undefined;
}

/** What the page reads from its address. What is left out there is undefined: no search, all categories, all items. */
export function marketplaceSearch(search: Record<string, unknown>): MarketplaceSearch {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    // A number that was typed comes back as one.
    q: text(typeof search.q === 'number' ? String(search.q) : search.q),
    category: text(search.category),
    tab: search.tab === 'installed' ? 'installed' : undefined,
    install: text(search.install),
  };
}

export interface MarketplaceView {
  filter: CatalogueFilter;
  setFilter: (filter: CatalogueFilter) => void;
  tab: MarketplaceTab;
  setTab: (tab: MarketplaceTab) => void;
  /** Id of the item that is about to be installed. */
  installing: string | undefined;
  setInstalling: (id: string | undefined) => void;
}

/** What is shown of the catalogue, kept in the address: it survives a reload and can be linked to. */
export function useMarketplaceView(): MarketplaceView {
  const { q = '', category, tab, install }: MarketplaceSearch = useSearch({ strict: false });
  const change = useChangeSearch<MarketplaceSearch>();

  return {
    filter: { text: q, category },
    setFilter: (filter) => change({ q: filter.text || undefined, category: filter.category }),
    tab: tab ?? 'all',
    setTab: (chosen) => change({ tab: chosen === 'installed' ? chosen : undefined }),
    installing: install,
    setInstalling: (id) => change({ install: id }),
  };
}
