import { readDomain } from '@nephos/contracts';
import { RECORD_SORTS } from '@nephos/contracts/constants';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type CreationSearch, creationSearch } from '../../lib/creation.ts';
import { type ListSearch, listSearch } from '../../lib/list-view.ts';

interface DomainSearch {
  domain?: string | undefined;
}

type RecordSort = (typeof RECORD_SORTS)[number];

/**
 * What the page reads from its address: `?domain=` shows that domain's records alone, `?new=1` opens the dialog, and
 * what a list reads.
 */
export function dnsSearch(
  search: Record<string, unknown>,
): CreationSearch & DomainSearch & ListSearch<RecordSort> {
  const filter = readDomain(typeof search.domain === 'string' ? search.domain : '');
  // Said even where there is none: what is left out keeps what the address says.
  return {
    ...creationSearch(search),
    ...listSearch(RECORD_SORTS, search),
    domain: filter.ok ? filter.text : undefined,
  };
}

interface DomainFilterState {
  /** Undefined: all domains. */
  domain: string | undefined;
  setDomain: (domain: string | undefined) => void;
}

/** The filter by domain, kept in the address: it survives a reload and can be linked to. */
export function useDomainFilter(): DomainFilterState {
  const { domain }: DomainSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    domain,
    setDomain: (chosen) =>
      void navigate({ to: '.', search: (before) => ({ ...before, domain: chosen }), replace: true }),
  };
}

/** Input of the record list: of one domain, or of all. */
export function ofDomain<Input extends object>(input: Input, domain: string | undefined) {
  return { ...input, ...(domain !== undefined && { domain }) };
}
