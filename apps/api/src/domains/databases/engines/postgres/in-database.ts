import pg from 'pg';

/** Seconds that a statement may take, as where its owner holds a lock. */
const PATIENCE = 10;

interface Place {
  /** Of an administrator at the server. */
  address: string;
  database: string;
  /** Seconds that a statement may take. */
  patience: number;
}

/** As the administrator in a database of somebody else's, where only PostgreSQL's own names are taken for what they say. */
export function inDatabase<T>(
  pool: pg.Pool,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const address = pool.options.connectionString ?? '';
  return inDatabaseAt({ address, database, patience: PATIENCE }, work);
}

/** The same at an address. */
export async function inDatabaseAt<T>(
  { address, database, patience }: Place,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const url = new URL(address);
  url.pathname = `/${encodeURIComponent(database)}`;
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => {});
  try {
    await client.connect();
    // Not in `options` of the connection, whose place those take that an address has itself.
    await client.query(
      `set search_path = pg_catalog, pg_temp; set default_transaction_read_only = off;
       set lock_timeout = '${patience}s'; set statement_timeout = '${patience}s'`,
    );
    return await work(client);
  } finally {
    await client.end();
  }
}
