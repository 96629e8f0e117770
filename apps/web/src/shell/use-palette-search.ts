import type { VirtualAccount } from '@nephos/contracts';
import { SEARCH_MAX } from '@nephos/contracts/constants';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { trpc } from '../lib/trpc.ts';

/** Things of a kind that are offered; whoever means another types more. */
const MOST = 5;

/** Milliseconds without a key after which what was typed is looked for. */
const TYPING_PAUSE = 150;

/** Milliseconds for which a list that comes as a whole is looked through as it is. */
const WHOLE_LISTS_STAY = 10_000;

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

export function textOfAccount({ accountName, accountNumber }: VirtualAccount): string {
  return `${accountName} ${accountNumber}`;
}

type Utils = ReturnType<typeof trpc.useUtils>;

/** Asks in one request for all kinds: where their lists grow without bound, the server searches. */
async function search(utils: Utils, words: string) {
  const { client } = utils;
  const page = { search: words, limit: MOST };
  const stay = { staleTime: WHOLE_LISTS_STAY };
  const fit = (text: string) => hasWords(text, words);
  const [projects, databases, files, images, domains, records, mobileApps, accounts, items] =
    await Promise.all([
      client.projects.list.query(page),
      client.databases.list.query(page),
      client.storage.list.query(page),
      client.containers.list.query(page),
      utils.dns.zones.fetch(undefined, stay),
      client.dns.list.query(page),
      client.mobileApps.list.query(page),
      utils.paymentGateway.virtualAccounts.fetch(undefined, stay),
      utils.marketplace.list.fetch(undefined, stay),
    ]);
  return {
    ...{ words, projects, databases, files, images, records, mobileApps },
    domains: domains.filter(({ domain }) => fit(domain)).slice(0, MOST),
    accounts: accounts.filter((account) => fit(textOfAccount(account))).slice(0, MOST),
    items: items.filter(({ name }) => fit(`Install ${name}`)).slice(0, MOST),
  };
}

/**
 * Looks among all that the person owns. What was found stays until the whole of the next answer is there, so that nothing
 * moves under the hand.
 */
export function usePaletteSearch(typed: string) {
  const utils = trpc.useUtils();
  const words = typed.trim().slice(0, SEARCH_MAX);
  const paused = usePause(words);
  const answer = useQuery({
    queryKey: ['palette', paused],
    queryFn: () => search(utils, paused),
    enabled: paused !== '',
    placeholderData: keepPreviousData,
    // What is looked for was made a moment ago as often as not.
    staleTime: 0,
  });
  return {
    words,
    found: words === '' ? undefined : answer.data,
    searching: words !== '' && (words !== paused || answer.isFetching),
    failed: answer.isError,
    /** What of a kind was found; of the answer to other words, what fits these. */
    fitting<Row>(rows: readonly Row[], textOf: (row: Row) => string): readonly Row[] {
      return answer.data?.words === words ? rows : rows.filter((row) => hasWords(textOf(row), words));
    },
  };
}

export type PaletteSearch = ReturnType<typeof usePaletteSearch>;
export type Found = NonNullable<PaletteSearch['found']>;
