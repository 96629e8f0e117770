import { trpc } from '../../lib/trpc.ts';

/** What every change of records makes old: their lists, the domains, the history and what others have copied. */
export function useRecordQueries() {
  const { dns } = trpc.useUtils();
  return [dns.list, dns.zones, dns.changes, dns.secondaries];
}
