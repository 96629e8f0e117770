import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { EngineUsage } from '../engine.ts';
import { CONNECTION_LIMIT } from '../limits.ts';

const { escapeIdentifier, escapeLiteral } = pg;

const PATIENCE = 5000;
const POLL_MS = 10;
/** Milliseconds after which a login that has not ended is taken for one that will not. */
export const STALLED_MS = 1000;

/**
 * Gives a role another password, and ends every session that was begun with the old one. Rejects where there is no
 * such role. `verifier` as `scramVerifier` makes it.
 */
export async function replacePassword(pool: pg.Pool, name: string, verifier: string): Promise<void> {
  await pool.query(`alter role ${escapeIdentifier(name)} password ${escapeLiteral(verifier)}`);
  await endSessions(pool, name);
}

/** Ends every session of a role that was begun until now. */
export async function endSessions(pool: pg.Pool, name: string): Promise<void> {
  // As text, which keeps the microseconds.
  const { rows } = await pool.query<{ now: string }>('select clock_timestamp()::text as now');
  const deadline = Date.now() + PATIENCE;
  while ((await endSessionsBefore(pool, name, rows[0]?.now ?? '')) > 0) {
    if (Date.now() > deadline) throw new Error('Sessions of a database did not end.');
    await wait(POLL_MS);
  }
}

/**
 * Resolves to how many are left. One that is still proving who it is was asked about an old password, too, and has
 * no name yet: it is waited for, unless it is stalled. PostgreSQL shows such ones since 18.
 */
async function endSessionsBefore(pool: pg.Pool, name: string, instant: string): Promise<number> {
  await endStalledLogins(pool);
  const { rowCount } = await pool.query(
    `select case when usename = $1 then pg_terminate_backend(pid) end
     from pg_stat_activity
     where backend_type = 'client backend' and backend_start <= $2::timestamptz
       and (usename = $1 or usename is null)`,
    [name, instant],
  );
  return rowCount ?? 0;
}

/** Ends connections whose clients keep the server waiting for their proof. */
export async function endStalledLogins(pool: pg.Pool): Promise<void> {
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where backend_type = 'client backend' and usename is null
       and backend_start < clock_timestamp() - make_interval(secs => $1)`,
    [STALLED_MS / 1000],
  );
}

/** As PostgreSQL keeps it where it was set by SCRAM. */
const VERIFIER = /^SCRAM-SHA-256\$\d+:[\w+/=]+\$[\w+/=]+:[\w+/=]+$/;

/** What a password of a role is checked by; undefined where there is no such role, or another kind of password. */
export async function verifierOf(pool: pg.Pool, name: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ verifier: string | null }>(
    'select rolpassword as verifier from pg_authid where rolname = $1',
    [name],
  );
  const verifier = rows[0]?.verifier ?? '';
  return VERIFIER.test(verifier) ? verifier : undefined;
}

/** Rejects where there is no such database. */
export async function usageOf(pool: pg.Pool, name: string): Promise<EngineUsage> {
  const { rows } = await pool.query<{ size: string; connections: number }>(
    `select pg_database_size(oid) as size,
       (select count(*)::int from pg_stat_activity
        where datid = pg_database.oid and backend_type = 'client backend') as connections
     from pg_database where datname = $1`,
    [name],
  );
  const [row] = rows;
  if (!row) throw new Error(`There is no database ${name}.`);
  return { size: Number(row.size), connections: row.connections, connectionLimit: CONNECTION_LIMIT };
}
