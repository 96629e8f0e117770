import mysql, { type RowDataPacket } from 'mysql2/promise';
import type { ClientTarget } from './mariadb-client.ts';

/** Reads all tables of a database as its own user, and has the server check each. */
export async function checkTables({
  host,
  port,
  name,
  password,
}: ClientTarget): Promise<{ tables: number; rows: number; damage?: string }> {
  const connection = await mysql.createConnection({ host, port, user: name, password, database: name });
  connection.on('error', () => {});
  const rowsOf = async (sql: string) => (await connection.query<RowDataPacket[]>(sql))[0];
  try {
    // MySQL, which has no such limit, reads a comment.
    await connection.query('SET SESSION sql_notes = 0 /*M!100100 , SESSION max_statement_time = 0 */');
    const tables = await rowsOf(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = database() AND table_type = 'BASE TABLE'",
    );
    let rows = 0;
    for (const { name: table } of tables) {
      const quoted = mysql.escapeId(String(table), true);
      const said = await rowsOf(`CHECK TABLE ${quoted} EXTENDED`);
      const problem = said.find(({ Msg_type: type }) => type === 'error' || type === 'Error');
      if (problem) {
        return { tables: tables.length, rows, damage: `The table ${table} is damaged: ${problem.Msg_text}.` };
      }
      const [counted] = await rowsOf(`SELECT COUNT(*) AS count FROM ${quoted}`);
      rows += Number(counted?.count);
    }
    return { tables: tables.length, rows };
  } finally {
    connection.destroy();
  }
}
