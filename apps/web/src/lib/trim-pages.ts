import type { InfiniteData, QueryClient, QueryFilters } from '@tanstack/react-query';

/** Pages of a list that are fetched again; further ones are as one scrolls to them. */
const KEPT = 3;

/** Before lists are fetched again: of each long one only the first pages are, since each page waits for the one before. */
export function trimPages(queryClient: QueryClient, filters: QueryFilters): void {
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    const data = query.state.data;
    if (!isPaged(data) || data.pages.length <= KEPT) continue;
    const trimmed = { pages: data.pages.slice(0, KEPT), pageParams: data.pageParams.slice(0, KEPT) };
    // Not newer than before: what came with this visit is told by that time.
    queryClient.setQueryData(query.queryKey, trimmed, { updatedAt: query.state.dataUpdatedAt });
  }
}

function isPaged(data: unknown): data is InfiniteData<unknown> {
  return typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;
}
