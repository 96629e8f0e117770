import type { InfiniteData } from '@tanstack/react-query';
import { KEYSET_PAGES } from './keyset-pages.ts';
import { MOST_WITHOUT_SEARCH, preloadLongList } from './resource-list.tsx';

/** A list of the contract, as a loader is given it: `utils.projects.list`. */
interface LoadedList<Input, Row> {
  fetchInfinite(input: Input, options: typeof KEYSET_PAGES & { pages: 1 }): Promise<InfiniteData<Row[]>>;
}

/** For a page's loader: the first page of its list, and with many rows what draws them, before the rest of the page is there. */
export async function loadFirstPage<Input, Row>(list: LoadedList<Input, Row>, input: Input): Promise<void> {
  const { pages } = await list.fetchInfinite(input, { ...KEYSET_PAGES, pages: 1 });
  if ((pages[0]?.length ?? 0) > MOST_WITHOUT_SEARCH) preloadLongList();
}
