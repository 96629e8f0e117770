import { useDeferredValue } from 'react';
import { KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { trpc } from '../../trpc.ts';
import { firstRecords } from './record-pages.ts';

/** The records of a domain, or of all. Those that were shown stay until those of another domain are there. */
export function useRecords(domain: string | undefined) {
  const shown = useDeferredValue(domain);
  const [{ pages }, list] = trpc.dns.list.useSuspenseInfiniteQuery(firstRecords(shown), KEYSET_PAGES);
  return { records: pages.flat(), list, changing: shown !== domain };
}
