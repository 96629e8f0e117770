/** A line of RFC 4180; NULL is an empty field, and empty text a quoted one, as PostgreSQL's COPY writes them. */
function lineOf(values: readonly (string | null)[]): string {
  return values.map((value) => (value === null ? '' : quoted(value))).join(',');
}

function quoted(value: string): string {
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** A result as a CSV file (RFC 4180). */
export function csvOf(columns: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  return [columns, ...rows].map((line) => `${lineOf(line)}\r\n`).join('');
}
