import { useSearch } from '@tanstack/react-router';
import { type CreationSearch, creationSearch } from './creation.ts';
import { FIRST_PAGE } from './keyset-pages.ts';
import { searchWords } from './search-words.ts';
import { useChangeSearch } from './use-change-search.ts';

/** What a list's page reads from its address: `?q=` is what it is searched for, `?sort=` its order. */
export interface ListSearch<Sort extends string> {
  q?: string | undefined;
  /** Absent: newest first. */
  sort?: Sort | undefined;
}

/** Reads both; said even where there is none, since what is left out keeps what the address says. */
export function listSearch<Sort extends string>(
  sorts: readonly Sort[],
  { q, sort }: Record<string, unknown>,
): ListSearch<Sort> {
  const known = sorts.find((candidate) => candidate === sort);
  return { q: searchWords(q), sort: known === 'newest' ? undefined : known };
}

/** The same, for a page with a list and the dialog of a new thing. */
export function listPageSearch<Sort extends string>(sorts: readonly Sort[]) {
  return (search: Record<string, unknown>): CreationSearch & ListSearch<Sort> => ({
    ...creationSearch(search),
    ...listSearch(sorts, search),
  });
}

/** Input of the list's first page. */
export function firstOf<Sort extends string>({ q, sort }: ListSearch<Sort>) {
  return { ...FIRST_PAGE, ...(q !== undefined && { search: q }), ...(sort !== undefined && { sort }) };
}

export interface ListView<Sort extends string> {
  words: string | undefined;
  setWords: (words: string | undefined) => void;
  sorts: readonly Sort[];
  sort: Sort | 'newest';
  setSort: (sort: Sort) => void;
  /** Input of the first page. */
  first: ReturnType<typeof firstOf<Sort>>;
}

/** How a list is looked at, kept in the address: it survives a reload and can be linked to. */
export function useListView<Sort extends string>(sorts: readonly Sort[]): ListView<Sort> {
  const { q, sort } = listSearch(sorts, useSearch({ strict: false }));
  const change = useChangeSearch<ListSearch<Sort>>();
  return {
    words: q,
    setWords: (words) => change({ q: words }),
    sorts,
    sort: sort ?? 'newest',
    setSort: (chosen) => change({ sort: chosen === 'newest' ? undefined : chosen }),
    first: firstOf({ q, sort }),
  };
}
