import type { databaseContents, TableStructure } from '@nephos/contracts';
import pg from 'pg';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { type ContentsParts, look } from './own-connection.ts';
import { readStructure } from './tables.ts';

const { escapeIdentifier, escapeLiteral } = pg;

type Input = z.output<typeof databaseContents.changeStatement.input>;
type Column = TableStructure['columns'][number];

/**
 * The statement of a change to one row, as the person reads it and then runs it. Throws as `look` does, 400 for what
 * is no column or cannot be written, and 409 NO_KEY.
 */
export function writeStatement(
  ctx: UserContext,
  parts: ContentsParts,
  input: Input,
): Promise<{ sql: string }> {
  return look(ctx, parts, input.id, async (client) => {
    const { columns } = await readStructure(client, input);
    return { sql: statementOf(columns, input) };
  });
}

const literal = (value: string | null) => (value === null ? 'null' : escapeLiteral(value));

function statementOf(columns: readonly Column[], { schema, table, action, key, values }: Input): string {
  const target = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
  const changes = values.map((change, place) => ({ ...change, of: writable(columns, change.column, place) }));
  if (action === 'insert') {
    if (changes.length === 0) return `insert into ${target} default values;`;
    const names = changes.map(({ of }) => escapeIdentifier(of.name)).join(', ');
    return `insert into ${target} (${names})\nvalues (${changes.map(({ value }) => literal(value)).join(', ')});`;
  }
  const primary = columns.filter((column) => column.primary);
  if (primary.length === 0) {
    throw conflict(
      'NO_KEY',
      'This table has no primary key, so its rows can only be changed by a statement.',
    );
  }
  if (key.length !== primary.length) throw wrong('key', 'The key must have a value for each of its columns.');
  const which = primary.map(({ name }, place) => `${escapeIdentifier(name)} = ${literal(key[place] ?? '')}`);
  if (action === 'delete') return `delete from ${target}\nwhere ${which.join(' and ')};`;
  if (changes.length === 0) throw wrong('values', 'Change at least one value.');
  const sets = changes.map(({ of, value }) => `${escapeIdentifier(of.name)} = ${literal(value)}`);
  // A value that somebody else has changed since is not overwritten: no row is found then.
  const unchanged = changes.flatMap(({ of, from }) =>
    from === undefined ? [] : [`${escapeIdentifier(of.name)}::text is not distinct from ${literal(from)}`],
  );
  return `update ${target}\nset ${sets.join(', ')}\nwhere ${[...which, ...unchanged].join(' and ')};`;
}

function writable(columns: readonly Column[], name: string, place: number): Column {
  const column = columns.find((one) => one.name === name);
  const path = `values.${place}.column`;
  if (!column) throw wrong(path, `The table has no column ${name}.`);
  if (column.generated) throw wrong(path, `The database makes the values of ${name} itself.`);
  return column;
}

function wrong(path: string, message: string) {
  return invalid(message, [{ path, message }]);
}
