import { z } from 'zod';
import { SEARCH_MAX } from './constants.ts';
import { optionalLine } from './text.ts';

/** A row's id: a UUID, version 7, so that newer rows have greater ids. */
export const Id = z.uuid();

/** Input that names one row. */
export const ById = z.object({ id: Id });

/** The most rows that a list answers at once. */
export const MAX_PAGE = 1000;

/** Rows that a list answers at once, up to `max`. */
export function pageLimit(max: number) {
  const sentence = `Limit must be a whole number from 1 to ${max}.`;
  return z.int(sentence).min(1, sentence).max(max, sentence);
}

/**
 * Keyset page of a newest-first list: at most `limit` rows (all, up to 1,000, when absent) that come after the row
 * `cursor`, which is the id of the last row of the page before. A page shorter than its limit is the last.
 */
export const Page = z.object({
  limit: pageLimit(MAX_PAGE).optional(),
  cursor: z.uuid('Cursor must be the ID of the last row on the previous page.').optional(),
});

/** A list's input where everything has a default: no input at all is the documented call. */
export const OptionalPage = Page.optional();

/** Words that rows are searched for, whatever their case; where they are looked for, says the list's summary. */
export const Search = optionalLine(SEARCH_MAX, 'Search')
  .optional()
  .describe('Text to find in the rows, ignoring case');

/**
 * Page of a list that can be searched and sorted: by `sorts`, the first of which is what it is without. The cursor is
 * the id of the last row of the page before in any order; `search` and `sort` stay the same from page to page.
 */
export function listPage<const Sorts extends readonly ['newest', ...string[]]>(sorts: Sorts) {
  return Page.extend({
    search: Search,
    sort: z
      .enum(sorts, `Sort must be one of ${sorts.join(', ')}.`)
      .optional()
      .describe(`Order of the rows; ${sorts[0]} by default`),
  });
}

/** The answer to a delete. */
export const Success = z.object({ success: z.literal(true) });
