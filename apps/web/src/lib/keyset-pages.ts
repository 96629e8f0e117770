import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { keepPreviousData } from '@tanstack/react-query';
import type { MorePagesProps } from '../ui/more-pages.tsx';
import type { CallError } from './errors.ts';

/** Rows that are fetched at a time: full rows of one, two and three cards. */
const PAGE_SIZE = 60;

/** Input of a list's first page. */
export const FIRST_PAGE = { limit: PAGE_SIZE };

/** How an infinite query finds the next page: after the last row of the one before, until one is not full. */
export const KEYSET_PAGES = {
  getNextPageParam: (page: readonly { id: string }[]) =>
    page.length < PAGE_SIZE ? undefined : page.at(-1)?.id,
};

/** The pages of a list that is searched and sorted: what was shown stays until what was asked for is there. */
export const LIST_PAGES = { ...KEYSET_PAGES, placeholderData: keepPreviousData } as const;

/** An infinite query, as far as a list needs it. */
export type PagedList<Row> = Pick<
  UseInfiniteQueryResult<InfiniteData<Row[]>, CallError>,
  | 'data'
  | 'error'
  | 'refetch'
  | 'isFetching'
  | 'isPlaceholderData'
  | 'hasNextPage'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
  | 'fetchNextPage'
>;

type NextPages = MorePagesProps['list'] & Pick<PagedList<unknown>, 'error'> & { refetch: () => unknown };

/**
 * The way to a list's next page, for `MorePages`; `things` are many of them, for example 'files'. The next page begins
 * behind the last row: where that row is gone, asking again would not help, but beginning anew does.
 */
export function nextPages(list: NextPages, things: string): MorePagesProps {
  const refused = list.isFetchNextPageError && list.error?.data?.code === 'BAD_REQUEST';
  return {
    list: refused ? { ...list, fetchNextPage: list.refetch } : list,
    failure: `Couldn't load more ${things}.`,
  };
}
