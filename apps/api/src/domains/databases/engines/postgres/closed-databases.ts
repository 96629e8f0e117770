import pg from 'pg';
import { endSessions } from './postgres-sessions.ts';

const { escapeIdentifier } = pg;

/** Lets nobody into a database any more, its owner and ourselves included, and ends its sessions. */
export async function closeDatabase(pool: pg.Pool, name: string): Promise<void> {
  await pool.query(`alter database ${escapeIdentifier(name)} allow_connections false`);
  await endSessions(pool, name);
}

export async function openDatabase(pool: pg.Pool, name: string): Promise<void> {
  await pool.query(`alter database ${escapeIdentifier(name)} allow_connections true`);
}

/** Opens people's databases that a stop left closed, but for those that are elsewhere by now. */
export async function reopenDatabases(pool: pg.Pool, isMoved: (name: string) => boolean): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select datname as name from pg_database
     where not datallowconn and datname like 'db\\_%' and datname = pg_get_userbyid(datdba)`,
  );
  for (const { name } of rows) if (!isMoved(name)) await openDatabase(pool, name);
}
