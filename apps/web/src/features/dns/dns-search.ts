import { readDomain } from '@nephos/contracts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type CreationSearch, creationSearch } from '../../lib/creation.ts';
import { FIRST_PAGE } from '../../lib/keyset-pages.ts';

interface DomainSearch {
  domain?: string | undefined;
}

/** What the page reads from its address: `?domain=` shows that domain's records alone, `?new=1` opens the dialog. */
export function dnsSearch(search: Record<string, unknown>): CreationSearch & DomainSearch {
  const filter = readDomain(typeof search.domain === 'string' ? search.domain : '');
  // Said even where there is none: what is left out keeps what the address says.
  return { ...creationSearch(search), domain: filter.ok ? filter.text : undefined };
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

/** Input of the record list's first page: of one domain, or of all. */
export function firstRecords(domain: string | undefined) {
  return { ...FIRST_PAGE, ...(domain !== undefined && { domain }) };
}
