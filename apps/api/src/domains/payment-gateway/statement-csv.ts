import { type paymentGateway, type StatementLine, statementFileName } from '@nephos/contracts';
import type { BytesAnswer } from '@nephos/contracts/kit';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { findStatement, pageOfStatement } from './statement.ts';

/** Lines that are read at once. */
const PAGE = 1000;

const COLUMNS = ['Date', 'Kind', 'Reference', 'Description', 'Party', 'Amount', 'Balance', 'Currency'];
/**
 * Where a spreadsheet would see the start of a formula: at the start of a cell, and after a semicolon, a tab or a line's
 * end within one, since in countries whose decimals have a comma those end cells, whatever the quotes.
 */
const FORMULA = /(^|[;\t\r\n])([\s"]*)(?=[=+\-@＝＋－＠])/g;
const NEEDS_QUOTES = /[",\r\n]/;

/** Text as a field (RFC 4180 §2) that a spreadsheet shows and never computes (ASVS v5.0.0-1.2.10). */
function text(value: string): string {
  const safe = value.replaceAll(FORMULA, "$1$2'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Cents as a decimal number with two places, for example `-19.99`. */
function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function record(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`;
}

/** The first line of the file. */
export const csvHeader = record(COLUMNS);

/** One line of a statement as a line of the file. */
export function csvLine(line: StatementLine): string {
  const { createdAt, kind, reference, description, party, amount, balance } = line;
  const fields = [createdAt, kind, text(reference), text(description), text(party)];
  return record([...fields, decimal(amount), decimal(balance), 'USD']);
}

/**
 * A month's statement as CSV, newest first, made as it is read, so that it takes no more memory for a million lines than
 * for a thousand. Throws 404.
 */
export async function readStatementCsv(
  ctx: UserContext,
  { id, month }: z.output<typeof paymentGateway.statementCsv.input>,
): Promise<BytesAnswer> {
  const { accountId, accountNumber } = await findStatement(ctx, id);
  return {
    type: 'text/csv; charset=utf-8',
    fileName: statementFileName(accountNumber, month),
    body: () => csvOf(ctx, { id, accountId, month }),
  };
}

/** Entries never change and come only at the newest end, so pages read one after the other fit together. */
async function* csvOf(
  { db }: Pick<UserContext, 'db'>,
  { id, accountId, month }: { id: string; accountId: string; month: string },
): AsyncGenerator<string> {
  yield csvHeader;
  let cursor: string | undefined;
  for (;;) {
    const lines = await pageOfStatement(db, accountId, { id, month, limit: PAGE, ...(cursor && { cursor }) });
    if (lines.length > 0) yield lines.map(csvLine).join('');
    cursor = lines.at(-1)?.id;
    if (lines.length < PAGE) return;
  }
}
