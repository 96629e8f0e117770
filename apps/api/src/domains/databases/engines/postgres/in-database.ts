import pg from 'pg';

/** Seconds that a statement may take, as where its owner holds a lock. */
const PATIENCE = 10;

/** As the administrator in a database of somebody else's, where only PostgreSQL's own names are taken for what they say. */
export async function inDatabase<T>(
  pool: pg.Pool,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const url = new URL(pool.options.connectionString ?? '');
  url.pathname = `/${encodeURIComponent(database)}`;
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(
      `set search_path = pg_catalog, pg_temp; set lock_timeout = '${PATIENCE}s'; set statement_timeout = '${PATIENCE}s'`,
    );
    return await work(client);
  } finally {
    await client.end();
  }
}
