import type { StatementLine } from '@nephos/contracts';

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
