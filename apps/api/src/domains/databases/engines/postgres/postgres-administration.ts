import { createPool, type DbLimits } from '@nephos/db';
import pg from 'pg';
import type { Logger } from 'pino';

const { escapeIdentifier } = pg;

/** Milliseconds. For a connection one also waits behind removals, which wait for the disk. */
const LIMITS: DbLimits = { statement: 30_000, lock: 10_000, idleInTransaction: 30_000, connect: 15_000 };

/** The administrator's few connections; they never bring the process down. `parameters` as `createPool` takes them. */
export function createAdminPool(url: string, log: Logger, parameters = ''): pg.Pool {
  const pool = createPool({
    ...{ url, parameters },
    max: 6,
    types: pg.types,
    limits: LIMITS,
    onError: (error) => log.warn({ reason: error.message }, 'lost a connection to managed PostgreSQL'),
  });
  // One that is in use, but just asks nothing, tells nobody else that its server ended.
  pool.on('connect', (client) => client.on('error', () => {}));
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
 * there. The databases of people, which have the names of `newCredentials` and roles of the same name, are left as they
 * are; `createOwnedDatabase` closes those.
 *
 * What cannot be taken: the names in `pg_database` and `pg_roles`, without which `pg_dump` does not work. Hence they
 * are random and say nothing. What others run is hidden by PostgreSQL itself.
 */
export async function closeToPublic(pool: pg.Pool, log: Logger): Promise<void> {
  for (const database of await openDatabases(pool)) {
    try {
      await pool.query(`revoke all on database ${escapeIdentifier(database)} from public`);
    } catch (error) {
      log.warn({ err: error, database }, 'a database could not be closed to every role of its server');
    }
  }
  // On a server that others share, some belong to them: PostgreSQL then revokes nothing, and says so in a warning.
  const left = await openDatabases(pool);
  if (left.length > 0) log.warn({ databases: left }, 'databases stay open to every role of their server');
}

async function openDatabases(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ datname: string }>(
    `select datname from pg_database
     where datallowconn and not (datname like 'db\\_%' and datname = pg_get_userbyid(datdba))
       and has_database_privilege('public', oid, 'connect, temporary')`,
  );
  return rows.map(({ datname }) => datname);
}
