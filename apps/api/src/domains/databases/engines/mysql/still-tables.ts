import type { TableMarks, TableRows } from '../engine.ts';
import type { ClientTarget } from './mariadb-client.ts';
import { countRows, type Read, reading } from './reading.ts';

/**
 * Seconds within which the server tells no two writes apart, and one more: a table that was written to so lately is
 * none of which it can be said that nothing is written to it.
 */
const RECENT = 2;

/** When tables of a database were made and last written to: of those that seem to be still. */
export function markTables(target: ClientTarget): Promise<TableMarks> {
  return reading(target, marksOf);
}

/** Rows of the tables to which nothing was written since they were marked. */
export function countStill(target: ClientTarget, before: TableMarks): Promise<TableRows> {
  return reading(target, async (read) => {
    const counted = new Map<string, number>();
    for (const table of before.keys()) {
      // One that is gone by now is none of them.
      const rows = await countRows(read, table).catch(() => undefined);
      if (rows !== undefined) counted.set(table, rows);
    }
    const after = await marksOf(read);
    return new Map([...counted].filter(([table]) => after.get(table) === before.get(table)));
  });
}

/** Of partitions it is not told when they are written to. What empties a table makes it anew. */
async function marksOf(read: Read): Promise<TableMarks> {
  const rows = await read(
    `SELECT table_name AS name, CONCAT_WS(' ', create_time, update_time) AS mark
     FROM information_schema.tables
     WHERE table_schema = database() AND table_type = 'BASE TABLE' AND create_options NOT LIKE '%partitioned%'
       AND COALESCE(GREATEST(create_time, COALESCE(update_time, create_time)) < NOW() - INTERVAL ${RECENT} SECOND, FALSE)`,
  );
  return new Map(rows.map(({ name, mark }) => [String(name), String(mark)]));
}
