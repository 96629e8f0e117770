import mysql, { type RowDataPacket } from 'mysql2/promise';
import type { ClientTarget } from './mariadb-client.ts';

/** Asks a database as its own user, without a limit in time and without notes. */
export type Read = (sql: string) => Promise<RowDataPacket[]>;

// What the other one does not know, each reads as a comment. MySQL would tell of yesterday what it knows of tables.
const SETTINGS = `SET SESSION sql_notes = 0
  /*M!100100 , SESSION max_statement_time = 0 */ /*!80000 , SESSION information_schema_stats_expiry = 0 */`;

export async function reading<T>(
  { host, port, name, password }: ClientTarget,
  work: (read: Read) => Promise<T>,
): Promise<T> {
  const connection = await mysql.createConnection({ host, port, user: name, password, database: name });
  connection.on('error', () => {});
  const read: Read = async (sql) => (await connection.query<RowDataPacket[]>(sql))[0];
  try {
    await read(SETTINGS);
    return await work(read);
  } finally {
    connection.destroy();
  }
}

export async function countRows(read: Read, table: string): Promise<number> {
  const [counted] = await read(`SELECT COUNT(*) AS count FROM ${mysql.escapeId(table, true)}`);
  return Number(counted?.count);
}
