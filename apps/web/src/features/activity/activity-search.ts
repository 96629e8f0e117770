import { AUDIT_SUBJECTS, type AuditSubject } from '@nephos/contracts/constants';
import { useSearch } from '@tanstack/react-router';
import { FIRST_PAGE } from '../../lib/keyset-pages.ts';
import { searchWords } from '../../lib/search-words.ts';
import { useChangeSearch } from '../../lib/use-change-search.ts';

const HOUR = 60 * 60 * 1000;

/** Spans up to now, in hours. */
const SPANS = { day: 24, week: 7 * 24, month: 30 * 24 } as const;
export type Span = keyof typeof SPANS;

export interface ActivitySearch {
  /** Words that the records are searched for. */
  q?: string | undefined;
  kind?: AuditSubject | undefined;
  span?: Span | undefined;
  /** Id of who did it. */
  by?: string | undefined;
  /** Id of what it was about. */
  thing?: string | undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 300) : undefined;
}

/** What the page reads from its address. */
export function activitySearch(search: Record<string, unknown>): ActivitySearch {
  const by = textOf(search.by);
  return {
    q: searchWords(search.q),
    kind: AUDIT_SUBJECTS.find((kind) => kind === search.kind),
    span: (Object.keys(SPANS) as Span[]).find((span) => span === search.span),
    by: by && /^[\da-f-]{36}$/.test(by) ? by : undefined,
    thing: textOf(search.thing),
  };
}

/** Input of the list's first page. The span begins with an hour, so that it stays the same for a while. */
export function firstRecords({ q, kind, span, by, thing }: ActivitySearch) {
  const from = span && new Date(Math.floor(Date.now() / HOUR - SPANS[span]) * HOUR).toISOString();
  return {
    ...FIRST_PAGE,
    ...(q !== undefined && { search: q }),
    ...(kind && { kind }),
    ...(from && { from }),
    ...(by && { actorId: by }),
    ...(thing && { subjectId: thing }),
  };
}

/** What is shown, kept in the address. */
export function useActivityView() {
  const search: ActivitySearch = useSearch({ strict: false });
  return { search, change: useChangeSearch<ActivitySearch>() };
}
