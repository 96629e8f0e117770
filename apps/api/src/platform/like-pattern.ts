import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

/** For LIKE: what holds `text` somewhere; its `%`, `_` and backslashes are characters like others. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** Whether one of the texts holds what is looked for, whatever its case. Null texts hold nothing. */
export function mentions(search: string, texts: readonly Expression<unknown>[]): RawBuilder<SqlBool> {
  // One comparison is faster than several; a search is one line, so it never reaches from one text into the next. The
  // collation is named because columns of the "C" one would fold the case of ASCII alone.
  return sql<SqlBool>`concat_ws(chr(10), ${sql.join(texts)}) collate "default" ilike ${containing(search)}`;
}
