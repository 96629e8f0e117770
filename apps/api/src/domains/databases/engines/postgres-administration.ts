import pg from 'pg';
import type { Logger } from 'pino';

const { escapeIdentifier } = pg;

/** The administrator's few connections; they never bring the process down. */
export function createAdminPool(url: string, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 6,
    application_name: 'nephos',
    // Also the time that one waits for a connection of the pool, behind removals that wait for the disk.
    connectionTimeoutMillis: 15_000,
    idleTimeoutMillis: 30_000,
    options: '-c statement_timeout=30s -c lock_timeout=10s',
  });
  const report = (error: Error) =>
    log.warn({ reason: error.message }, 'lost a connection to managed PostgreSQL');
  // Without these two, a server that ends a connection ends this process.
  pool.on('error', report);
  pool.on('connect', (client) => {
    client.on('error', report);
  });
  return pool;
}

/** Whether the role of `pool` can make roles and databases. */
export async function mayAdminister(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>(
    'select rolsuper or (rolcreaterole and rolcreatedb) as may from pg_roles where rolname = current_user',
  );
  return rows[0]?.may ?? false;
}

/** What tells a cluster from every other, by whatever address it is reached: a number that `initdb` gave it. */
export async function clusterIdOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  );
  return rows[0]?.id ?? '';
}

/**
 * Takes from everyone what PostgreSQL gives to everyone: to connect to each database, and to make temporary tables
 * there. The databases of people are left as they are; `createDatabase` closes those.
 *
 * What cannot be taken: the names in `pg_database` and `pg_roles`, without which `pg_dump` does not work. Hence they
 * are random and say nothing. What others run is hidden by PostgreSQL itself.
 */
export async function closeToPublic(pool: pg.Pool, log: Logger): Promise<void> {
  const { rows } = await pool.query<{ datname: string }>(
    `select datname from pg_database
     where datallowconn and datname <> pg_get_userbyid(datdba)
       and has_database_privilege('public', oid, 'connect, temporary')`,
  );
  for (const { datname } of rows) {
    try {
      await pool.query(`revoke all on database ${escapeIdentifier(datname)} from public`);
    } catch (error) {
      // On a server that others share, some may belong to them.
      log.warn({ err: error, database: datname }, 'a database stays open to every role of its server');
    }
  }
}
