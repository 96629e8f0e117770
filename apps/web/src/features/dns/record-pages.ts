import type { DnsRecord } from '@nephos/contracts';

/** Records that are fetched at a time. */
const PAGE_SIZE = 50;

/** Input of the record list's first page: of one domain, or of all. */
export function firstRecords(domain: string | undefined) {
  return { limit: PAGE_SIZE, ...(domain !== undefined && { domain }) };
}

export const RECORD_PAGES = {
  getNextPageParam: (page: readonly DnsRecord[]) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.id),
};
