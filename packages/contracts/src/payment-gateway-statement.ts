import { z } from 'zod';
import { CALENDAR_MONTH, MAX_SEARCHED_LINES } from './constants.ts';
import { Id, Page } from './page.ts';
import { optionalLine } from './text.ts';

/** What moved the money of a statement's line: `returned` came back from a send that failed or was cancelled. */
export const STATEMENT_KINDS = ['sent', 'received', 'returned'] as const;

/** A line of an account's statement: one entry of the ledger. */
export const StatementLine = z.object({
  id: Id,
  /** The payment that it belongs to. */
  transactionId: Id,
  kind: z.enum(STATEMENT_KINDS),
  reference: z.string(),
  description: z.string(),
  /** Who was at the other end. */
  party: z.string(),
  /** Cents: negative when money left. */
  amount: z.int(),
  /** Cents that could be sent after this line. */
  balance: z.int(),
  createdAt: z.iso.datetime(),
});
export type StatementLine = z.output<typeof StatementLine>;

/** A page of a statement, newest line first. */
export const StatementLines = z.object({
  lines: z.array(StatementLine),
  /**
   * Where a search stopped before the oldest line: the cursor with which it goes on. Null where no line is left, and
   * where the page is full.
   */
  stoppedAt: Id.nullable(),
});
export type StatementLines = z.output<typeof StatementLines>;

const MONTH = 'Month must look like 2026-11.';

/** Calendar month in UTC, for example `2026-11`. */
export const StatementMonth = z.string(MONTH).regex(CALENDAR_MONTH, MONTH);

export const StatementPage = Page.extend({
  id: Id,
  kind: z.enum(STATEMENT_KINDS, 'Kind must be sent, received or returned.').optional(),
  search: optionalLine(100, 'Search')
    .optional()
    .describe(
      `In reference, description or party, whatever its case; stops after ${MAX_SEARCHED_LINES.toLocaleString('en-US')} lines`,
    ),
  month: StatementMonth.optional(),
});
