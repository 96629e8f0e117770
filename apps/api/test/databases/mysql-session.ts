import mysql, { type Connection } from 'mysql2/promise';

/** A client whose connection the server may end without ending this process. */
export async function openMysql(connectionString: string): Promise<Connection> {
  const connection = await mysql.createConnection(connectionString);
  connection.on('error', () => {});
  return connection;
}
