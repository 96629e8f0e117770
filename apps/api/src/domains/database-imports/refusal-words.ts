import type pg from 'pg';

/** Where a statement stands in a dump. */
interface Placed {
  sql: string;
  line: number;
}

const LONGEST = 80;
const LONGEST_MESSAGE = 500;
/** Of a `raise` in a function, whose words may be anything. */
const RAISED = /^P0/;
/** Classes of errors whose messages name what is in the catalog, and no value: Appendix A of PostgreSQL's manual. */
const NAMES_ONLY = /^(0A|23|25|28|2B|3D|3F|40|42|53|54|55|57)/;
const UNTRUSTED_EXTENSION = /^permission denied to create extension/;

/** What the server said of a statement of a dump, with its line, and without values of its rows. */
export function refusalWords(error: pg.DatabaseError, { sql, line }: Placed): string {
  const row = /^COPY .*?, line (\d+)/s.exec(error.where ?? '')?.[1];
  const at = row === undefined ? line : line + sql.split('\n').length - 1 + Number(row);
  const hint = UNTRUSTED_EXTENSION.test(error.message) ? ' Add it under Extensions first.' : '';
  const end = /[.!?]$/.test(error.message) ? '' : '.';
  return `Line ${at}, ${beginning(sql)}: ${withoutValues(error)}${end}${hint}`;
}

/** The beginning of a statement up to its first value. */
function beginning(sql: string): string {
  const changesRows = /^(insert|update|delete|merge|with|call|execute|values)\b/i.test(sql);
  const [words = ''] = sql.split(changesRows ? /\b(?:values|set|where|select|using)\b|[('$\d]/i : /['$]/);
  const text = words.replaceAll(/\s+/g, ' ').trim().replace(/;$/, '');
  const cut = text.length > LONGEST ? text.slice(0, LONGEST).trimEnd() : text;
  return cut.length < sql.replace(/;$/, '').length ? `${cut} …` : cut;
}

/** What the server said, without values of rows. */
export function withoutValues({ code = '', message }: pg.DatabaseError): string {
  if (RAISED.test(code)) return 'a function or trigger refused it';
  const isSyntax = code === '42601';
  const words = message.slice(0, LONGEST_MESSAGE);
  if (NAMES_ONLY.test(code) && !isSyntax) return words;
  // A value may have quotes of its own, of which the second may be cut off.
  return words.replace(isSyntax ? /"[^\w].*"|"\d.*"/s : /"(.*"|.*$)/s, '"…"');
}
