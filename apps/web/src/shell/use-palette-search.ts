import { SEARCH_MAX } from '@nephos/contracts/constants';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { trpc } from '../lib/trpc.ts';

/** Things of a kind that are offered; whoever means another types more. */
const MOST = 5;

/** Milliseconds without a key after which what was typed is looked for. */
const TYPING_PAUSE = 150;

/** Whether a text has every one of some words in it, ignoring case. */
export function hasWords(text: string, words: string): boolean {
  const searched = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

/** What was typed, once the person pauses. */
function usePause(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

/**
 * Looks among all that the person owns: where lists grow without bound, at the server. What was found stays until the
 * next answer is there, so that nothing jumps under the hand.
 */
export function usePaletteSearch(typed: string) {
  const words = typed.trim().slice(0, SEARCH_MAX);
  const search = usePause(words);
  // Each opening looks anew: what is found was made a moment ago as often as not.
  const options = { enabled: search !== '', staleTime: 0, placeholderData: keepPreviousData };
  const page = { search, limit: MOST };
  const found = {
    projects: trpc.projects.list.useQuery(page, options),
    databases: trpc.databases.list.useQuery(page, options),
    files: trpc.storage.list.useQuery(page, options),
    domains: trpc.dns.zones.useQuery(undefined, options),
    records: trpc.dns.list.useQuery(page, options),
    images: trpc.containers.list.useQuery(page, options),
    mobileApps: trpc.mobileApps.list.useQuery(page, options),
    accounts: trpc.paymentGateway.virtualAccounts.useQuery(undefined, options),
    items: trpc.marketplace.list.useQuery(undefined, options),
  };
  const queries = Object.values(found);
  const searching = words !== '' && (words !== search || queries.some(({ isFetching }) => isFetching));

  /** What was found for these words: of an earlier answer, and of a list that is there as a whole, what fits. */
  function fitting<Row>(
    { data = [], isPlaceholderData }: { data?: readonly Row[] | undefined; isPlaceholderData: boolean },
    textOf: (row: Row) => string,
    whole = false,
  ): Row[] {
    if (words === '') return [];
    const exact = !whole && !isPlaceholderData && words === search;
    return (exact ? [...data] : data.filter((row) => hasWords(textOf(row), words))).slice(0, MOST);
  }

  return {
    ...found,
    words,
    searching,
    failed: !searching && queries.some(({ isError }) => isError),
    fitting,
  };
}

export type PaletteSearch = ReturnType<typeof usePaletteSearch>;
