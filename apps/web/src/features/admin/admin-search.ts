import { useSearch } from '@tanstack/react-router';
import { FIRST_PAGE } from '../../lib/keyset-pages.ts';
import { searchWords } from '../../lib/search-words.ts';
import { useChangeSearch } from '../../lib/use-change-search.ts';

/** In the order of the page; the first is shown where the address names none. */
export const ADMIN_TABS = [
  'users',
  'subscriptions',
  'payments',
  'usage',
  'engines',
  'settings',
  'jobs',
  'activity',
  'ledger',
] as const;
export type AdminTab = (typeof ADMIN_TABS)[number];

interface AdminSearch {
  tab?: Exclude<AdminTab, 'users'> | undefined;
  /** Words that the tab's list is searched for. */
  q?: string | undefined;
}

function tabOf(value: unknown): AdminSearch['tab'] {
  const tab = ADMIN_TABS.find((candidate) => candidate === value);
  return tab === 'users' ? undefined : tab;
}

/** What the page reads from its address: `?tab=` is what it shows, `?q=` narrows that. */
export function adminSearch(search: Record<string, unknown>): AdminSearch {
  // Said even where there is none: what is left out keeps what the address says.
  return { tab: tabOf(search.tab), q: searchWords(search.q) };
}

/** Input of a list's first page. */
export function firstRows(words: string | undefined) {
  return { ...FIRST_PAGE, ...(words !== undefined && { search: words }) };
}

export interface AdminView {
  tab: AdminTab;
  /** By name; anything else selects the first tab. The search words go, since they were meant for the tab before. */
  setTab: (tab: string) => void;
  words: string | undefined;
  setWords: (words: string | undefined) => void;
}

/** What is shown, kept in the address: it survives a reload and can be linked to. */
export function useAdminView(): AdminView {
  const { tab, q }: AdminSearch = useSearch({ strict: false });
  const change = useChangeSearch<AdminSearch>();

  return {
    tab: tab ?? 'users',
    setTab: (chosen) => change({ tab: tabOf(chosen), q: undefined }),
    words: q,
    setWords: (words) => change({ q: words }),
  };
}
