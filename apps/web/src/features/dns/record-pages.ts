import { FIRST_PAGE } from '../../lib/keyset-pages.ts';

/** Input of the record list's first page: of one domain, or of all. */
export function firstRecords(domain: string | undefined) {
  return { ...FIRST_PAGE, ...(domain !== undefined && { domain }) };
}
