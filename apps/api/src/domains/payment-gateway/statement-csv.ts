import { type paymentGateway, type StatementLine, statementFileName } from '@nephos/contracts';
import type { BytesAnswer } from '@nephos/contracts/kit';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { csvRecord, csvText } from '../../platform/csv.ts';
import { findStatement, pageOfStatement } from './statement.ts';

/** Lines that are read at once. */
const PAGE = 1000;

const COLUMNS = ['Date', 'Kind', 'Reference', 'Description', 'Party', 'Amount', 'Balance', 'Currency'];
/** Cents as a decimal number with two places, for example `-19.99`. */
function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The first line of the file. */
export const csvHeader = csvRecord(COLUMNS);

/** One line of a statement as a line of the file. */
export function csvLine(line: StatementLine): string {
  const { createdAt, kind, reference, description, party, amount, balance } = line;
  const fields = [createdAt, kind, csvText(reference), csvText(description), csvText(party)];
  return csvRecord([...fields, decimal(amount), decimal(balance), 'USD']);
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
