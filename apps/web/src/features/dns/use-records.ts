import { useDeferredValue } from 'react';
import { trpc } from '../../trpc.ts';
import { firstRecords, RECORD_PAGES } from './record-pages.ts';

/** The records of a domain, or of all. Those that were shown stay until those of another domain are there. */
export function useRecords(domain: string | undefined) {
  const shown = useDeferredValue(domain);
  const [{ pages }, list] = trpc.dns.list.useSuspenseInfiniteQuery(firstRecords(shown), RECORD_PAGES);
  return { records: pages.flat(), list, changing: shown !== domain };
}
