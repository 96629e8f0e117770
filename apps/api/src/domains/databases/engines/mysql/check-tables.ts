import mysql from 'mysql2/promise';
import type { TableRows } from '../engine.ts';
import type { ClientTarget } from './mariadb-client.ts';
import { countRows, reading } from './reading.ts';

/** Reads all tables of a database as its own user, and has the server check each. */
export function checkTables(target: ClientTarget): Promise<{ rows: TableRows; damage?: string }> {
  return reading(target, async (read) => {
    const tables = await read(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = database() AND table_type = 'BASE TABLE'",
    );
    const rows = new Map<string, number>();
    for (const { name } of tables) {
      const table = String(name);
      const said = await read(`CHECK TABLE ${mysql.escapeId(table, true)} EXTENDED`);
      const problem = said.find(({ Msg_type: type }) => type === 'error' || type === 'Error');
      if (problem) return { rows, damage: `The table ${table} is damaged: ${problem.Msg_text}.` };
      rows.set(table, await countRows(read, table));
    }
    return { rows };
  });
}
