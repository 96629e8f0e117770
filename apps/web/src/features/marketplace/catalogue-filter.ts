import type { MarketplaceItem } from '@nephos/contracts';

export interface CatalogueFilter {
  /** Searched for in name and description, in any case. */
  text: string;
  /** Undefined: all categories. */
  category: string | undefined;
}

/** The items that a filter leaves, in their order. */
export function filterItems(
  items: readonly MarketplaceItem[],
  { text, category }: CatalogueFilter,
): MarketplaceItem[] {
  const wanted = text.trim().toLowerCase();
  return items.filter(
    (item) =>
      (category === undefined || item.category === category) &&
      (item.name.toLowerCase().includes(wanted) || item.description.toLowerCase().includes(wanted)),
  );
}

/** The distinct categories of a catalogue, sorted. */
export function categoriesOf(items: readonly MarketplaceItem[]): string[] {
  return [...new Set(items.map(({ category }) => category))].sort((a, b) => a.localeCompare(b, 'en'));
}
