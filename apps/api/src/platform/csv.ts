/**
 * Where a spreadsheet would see the start of a formula: at the start of a cell, and after a semicolon, a tab or a line's
 * end within one, since in countries whose decimals have a comma those end cells, whatever the quotes.
 */
const FORMULA = /(^|[;\t\r\n])([\s"]*)(?=[=+\-@＝＋－＠])/g;
const NEEDS_QUOTES = /[",\r\n]/;

/** Text as a field (RFC 4180 §2) that a spreadsheet shows and never computes (ASVS v5.0.0-1.2.10). */
export function csvText(value: string): string {
  const safe = value.replaceAll(FORMULA, "$1$2'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of fields. */
export function csvRecord(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`;
}
