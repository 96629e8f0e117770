import { CELL_MAX, type databaseContents, type TableRows } from '@nephos/contracts';
import pg from 'pg';
import { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { invalid } from '../../core/errors.ts';
import { type ContentsParts, look } from './own-connection.ts';
import { readStructure, type Structure } from './tables.ts';

/** A column of the table, never one of the answer: that is text, and has another order. */
const columnIn = (name: string) => `t.${pg.escapeIdentifier(name)}`;

type Input = z.output<typeof databaseContents.rows.input>;
type Column = Structure['columns'][number];

/** Where a page ended: the value of the column that it is sorted by, and what tells rows of the same value apart. */
const Cursor = z.object({ sorted: z.string().nullable().optional(), key: z.array(z.string()).min(1) });
type Cursor = z.output<typeof Cursor>;

/** Tells the rows of a table without a primary key, and of those that inherit from it, apart while nobody changes them. */
const PLACE = [
  { name: 'tableoid', comparedAs: 'oid' },
  { name: 'ctid', comparedAs: 'tid' },
];
/** Characters of a cursor, which goes into an address. */
const MAX_CURSOR = 4000;

/** Rows of a table of theirs. Throws as `look` does, and 400 for a column that is not there. */
export function readRows(ctx: UserContext, parts: ContentsParts, input: Input): Promise<TableRows> {
  return look(ctx, parts, input.id, async (client) =>
    readPage(client, await readStructure(client, input), input),
  );
}

async function readPage(client: pg.Client, { kind, columns }: Structure, input: Input): Promise<TableRows> {
  const primary = columns.filter((column) => column.primary);
  const order = primary.length > 0 ? primary : kind === 'table' || kind === 'materialized view' ? PLACE : [];
  const sort = input.sort === undefined ? undefined : columnOf(columns, input.sort, 'sort');
  const parameters: (string | null)[] = [];
  const put = (value: string | null, type: string) => `$${parameters.push(value)}::text::${type}`;

  const conditions = [
    ...filterOf(columns, input, put),
    ...(input.cursor === undefined
      ? []
      : [afterCursor(readCursor(input.cursor, order), { sort, order, input, put })]),
  ];
  const direction = input.order;
  const orders = [
    ...(sort ? [`${columnIn(sort.name)} ${direction} nulls last`] : []),
    ...order.map(({ name }) => `${columnIn(name)} ${sort ? 'asc' : direction}`),
  ];
  const shown = columns.map(({ name }) => `left(${columnIn(name)}::text, ${CELL_MAX + 1})`);
  const whole = [...order, ...(sort ? [sort] : [])].map(({ name }) => `${columnIn(name)}::text`);
  const { rows } = await client.query<(string | null)[]>({
    text: `select ${[...shown, ...whole].join(', ')}
      from ${pg.escapeIdentifier(input.schema)}.${pg.escapeIdentifier(input.table)} as t
      ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
      ${orders.length > 0 ? `order by ${orders.join(', ')}` : ''}
      limit ${input.limit + 1}`,
    values: parameters,
    rowMode: 'array',
  });
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  const more = rows.length > input.limit;
  const keyOf = (row: (string | null)[]) =>
    row.slice(columns.length, columns.length + order.length).map((value) => value ?? '');
  const cursor = (row: (string | null)[]): Cursor => ({
    key: keyOf(row),
    ...(sort && { sorted: row[columns.length + order.length] ?? null }),
  });
  const after = more && last && order.length > 0 ? cursorText(cursor(last)) : '';
  const next = after !== '' && after.length <= MAX_CURSOR ? after : null;
  return {
    columns: columns.map(({ name }) => name),
    rows: page.map((row) => ({
      key: primary.length > 0 ? keyOf(row) : null,
      values: row.slice(0, columns.length).map((value) => value?.slice(0, CELL_MAX) ?? null),
      cut: columns.flatMap((_, place) => ((row[place]?.length ?? 0) > CELL_MAX ? [place] : [])),
    })),
    next,
    more: more && next === null,
  };
}

type Put = (value: string | null, type: string) => string;

function columnOf(columns: readonly Column[], name: string, path: string): Column {
  const column = columns.find((one) => one.name === name);
  if (column) return column;
  const message = `The table has no column ${name}.`;
  throw invalid(message, [{ path, message }]);
}

function filterOf(columns: readonly Column[], { column, operator, value }: Input, put: Put): string[] {
  if (column === undefined) return [];
  const { name, comparedAs } = columnOf(columns, column, 'column');
  const left = columnIn(name);
  if (operator === 'is null' || operator === 'is not null') return [`${left} ${operator}`];
  if (operator === 'contains') return [`strpos(lower(${left}::text), lower(${put(value, 'text')})) > 0`];
  return [`${left} ${operator} ${put(value, comparedAs)}`];
}

const cursorText = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url');

function readCursor(cursor: string, order: readonly unknown[]): Cursor {
  try {
    const read = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (read.key.length === order.length) return read;
  } catch {
    // As for one of another table.
  }
  const message = "Cursor must be the previous page's next.";
  throw invalid(message, [{ path: 'cursor', message }]);
}

interface Ordering {
  sort: Column | undefined;
  order: readonly { name: string; comparedAs: string }[];
  input: Input;
  put: Put;
}

/** Rows behind the last one, those without a value being behind all others. */
function afterCursor({ sorted, key }: Cursor, { sort, order, input, put }: Ordering): string {
  const names = order.map(({ name }) => columnIn(name)).join(', ');
  const values = order.map(({ comparedAs }, place) => put(key[place] ?? '', comparedAs)).join(', ');
  const behind = input.order === 'asc' ? '>' : '<';
  if (!sort) return `(${names}) ${behind} (${values})`;
  const column = columnIn(sort.name);
  if (sorted === null || sorted === undefined) return `(${column} is null and (${names}) > (${values}))`;
  const value = put(sorted, sort.comparedAs);
  return `(${column} ${behind} ${value} or ${column} is null or (${column} = ${value} and (${names}) > (${values})))`;
}
