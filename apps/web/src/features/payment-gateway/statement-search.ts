import type { StatementLine, StatementLines } from '@nephos/contracts';
import { CALENDAR_MONTH } from '@nephos/contracts/constants';
import { useSearch } from '@tanstack/react-router';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { searchWords } from '../../lib/search-words.ts';
import { useChangeSearch } from '../../lib/use-change-search.ts';

/** What is left out of the address is undefined: every kind, every month, no words. */
export interface StatementFilter {
  kind?: StatementLine['kind'] | undefined;
  /** Calendar month in UTC, for example `2026-11`. */
  month?: string | undefined;
  /** Words. */
  q?: string | undefined;
}

function kindOf(value: unknown): StatementFilter['kind'] {
  return value === 'sent' || value === 'received' || value === 'returned' ? value : undefined;
}

/** What an account's page reads from its address. */
export function statementSearch(search: Record<string, unknown>): StatementFilter {
  const { month } = search;
  return {
    kind: kindOf(search.kind),
    month: typeof month === 'string' && CALENDAR_MONTH.test(month) ? month : undefined,
    q: searchWords(search.q),
  };
}

/** Input of the statement's first page. */
export function firstLines(id: string, { kind, month, q }: StatementFilter) {
  return {
    ...FIRST_PAGE,
    id,
    ...(kind && { kind }),
    ...(month && { month }),
    ...(q && { search: q }),
  };
}

/** Where the page after this one begins: also where a search stopped. */
export function nextLines({ lines, stoppedAt }: StatementLines): string | undefined {
  return stoppedAt ?? KEYSET_PAGES.getNextPageParam(lines);
}

export interface StatementView {
  filter: StatementFilter;
  change: (changes: StatementFilter) => void;
}

/** What is shown of the statement, kept in the address: it survives a reload and can be linked to. */
export function useStatementFilter(): StatementView {
  const { kind, month, q }: StatementFilter = useSearch({ strict: false });
  return {
    filter: { kind, month, q },
    change: useChangeSearch<StatementFilter>(),
  };
}
