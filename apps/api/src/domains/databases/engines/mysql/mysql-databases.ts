import { setTimeout as wait } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import type { Credentials, EngineUsage } from '../engine.ts';
import { CONNECTION_LIMIT, STATEMENT_TIMEOUT_SECONDS } from '../limits.ts';
import { type Administrator, MysqlRefusal } from './mysql-administrator.ts';

const NAME = /^[a-z0-9_]{1,32}$/;
const SESSIONS_END_MS = 5000;
const LOGIN_MS = 1000;
const POLL_MS = 10;
/** What servers call a session whose user is not known yet. */
const NAMELESS = 'unauthenticated user';
const NO_SUCH_THREAD = 1094;

/**
 * MariaDB gives each session of the user this time per statement, and lets a session set another; it alone runs what
 * stands in `M!`. MySQL has such a limit only for a session or for the whole server, so its databases have none.
 */
const LIMITS = `WITH MAX_USER_CONNECTIONS ${CONNECTION_LIMIT} /*M! MAX_STATEMENT_TIME ${STATEMENT_TIMEOUT_SECONDS} */`;

/** A DDL statement would wait for a lock for a day. MySQL, which alone reads `!80000`, would count from its cache. */
const SESSION = 'SET SESSION lock_wait_timeout = 10 /*!80000 , information_schema_stats_expiry = 0 */';

/** The database first and the grant last: what is cut short leaves a user who can reach nothing. */
export async function createWithUser(admin: Administrator, { name, password }: Credentials): Promise<void> {
  const { database, user, grantPattern } = quoted(name);
  const identified = `IDENTIFIED BY ${mysql.escape(password)} ${LIMITS}`;
  await admin.run(`CREATE DATABASE IF NOT EXISTS ${database} CHARACTER SET utf8mb4`);
  await admin.run(`CREATE USER IF NOT EXISTS ${user} ${identified}`);
  await admin.run(`ALTER USER ${user} ${identified}`);
  await admin.run(`GRANT ALL PRIVILEGES ON ${grantPattern}.* TO ${user}`);
}

/** Rejects where there is no such user. */
export async function setPassword(admin: Administrator, { name, password }: Credentials): Promise<void> {
  await admin.run(`ALTER USER ${quoted(name).user} IDENTIFIED BY ${mysql.escape(password)}`);
  await endSessions(admin, name);
}

/** The user first, so that no session comes after those that are ended. */
export async function dropWithUser(admin: Administrator, name: string): Promise<void> {
  const { database, user } = quoted(name);
  await admin.run(SESSION);
  await admin.run(`DROP USER IF EXISTS ${user}`);
  await endSessions(admin, name);
  await admin.run(`DROP DATABASE IF EXISTS ${database}`);
}

/** Size is what the server's statistics say, which lag behind large changes by seconds. Rejects for no database. */
export async function usageOf(admin: Administrator, name: string): Promise<EngineUsage> {
  quoted(name);
  await admin.run(SESSION);
  const [row] = await admin.rows(
    `SELECT
       (SELECT SUM(data_length + index_length) FROM information_schema.tables WHERE table_schema = ?) AS size,
       (SELECT COUNT(*) FROM information_schema.processlist WHERE user = ?) AS connections
     FROM information_schema.schemata WHERE schema_name = ?`,
    [name, name, name],
  );
  if (!row) throw new Error(`MySQL has no database ${name}`);
  return {
    // A sum is a decimal, which arrives as text, and null where there is no table.
    size: Number(row.size ?? 0),
    connections: Number(row.connections),
    connectionLimit: CONNECTION_LIMIT,
  };
}

/**
 * A name as statements take it, in which DDL has no parameters. In a grant the database is a pattern: without
 * escapes the `_` of `db_1` would stand for any character, and reach `dbx1`.
 */
function quoted(name: string): { database: string; grantPattern: string; user: string } {
  if (!NAME.test(name)) throw new Error('A database name has 1 to 32 of a-z, 0-9 and _');
  return {
    database: mysql.escapeId(name),
    grantPattern: mysql.escapeId(name.replaceAll('_', '\\_')),
    user: `${mysql.escape(name)}@'%'`,
  };
}

/**
 * Ends the sessions that began before now, and waits until they are gone. One that is still proving who it is was
 * asked about the old password, too, and has no name yet: it gets a second, so that honest ones of others pass.
 */
async function endSessions(admin: Administrator, name: string): Promise<void> {
  const [last] = await admin.rows('SELECT MAX(id) AS id FROM information_schema.processlist', []);
  const began = Date.now();
  for (;;) {
    const sessions = await admin.rows(
      `SELECT id, user FROM information_schema.processlist WHERE id <= ? AND user IN (?, '${NAMELESS}')`,
      [Number(last?.id), name],
    );
    if (sessions.length === 0) return;
    const waited = Date.now() - began;
    if (waited > SESSIONS_END_MS) throw new Error('MySQL did not end the sessions of the old password');
    for (const { id, user } of sessions) {
      if (user === name || waited > LOGIN_MS) await kill(admin, Number(id));
    }
    await wait(POLL_MS);
  }
}

async function kill(admin: Administrator, id: number): Promise<void> {
  try {
    await admin.run(`KILL CONNECTION ${id}`);
  } catch (error) {
    const gone = error instanceof MysqlRefusal && error.errno === NO_SUCH_THREAD;
    if (!gone) throw error;
  }
}
