import pg from 'pg';
import type { DatabaseSession } from './database-engine-contract.ts';

/** A client whose connection the server may end without ending this process. */
export async function connectPostgres(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    // An empty password is refused by the client itself, which then leaves the server waiting.
    await client.end();
    throw error;
  }
  return client;
}

/** A session as the contract of database engines asks for. */
export async function openPostgres(connectionString: string): Promise<DatabaseSession> {
  const client = await connectPostgres(connectionString);
  const quoted = (table: string) => pg.escapeIdentifier(table);
  return {
    async add(table) {
      await client.query(`create table if not exists ${quoted(table)} (n int)`);
      await client.query(`insert into ${quoted(table)} values (1)`);
    },
    async count(table) {
      const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${quoted(table)}`);
      return rows[0]?.n ?? Number.NaN;
    },
    close: () => client.end(),
  };
}
