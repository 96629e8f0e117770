import pg from 'pg';
import { CONNECTION_LIMIT, STATEMENT_TIMEOUT_SECONDS } from '../limits.ts';
import { endStalledLogins, STALLED_MS } from './postgres-sessions.ts';

const { escapeIdentifier, escapeLiteral } = pg;

/** SQLSTATEs of what is there already; the second is that of two who make it in the same moment. */
const DUPLICATE_ROLE = ['42710', '23505'];
const DUPLICATE_DATABASE = ['42P04', '23505'];
const DEPENDENT_OBJECTS = ['2BP01'];

async function unlessFails(codes: readonly string[], work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code && codes.includes(error.code)) return false;
    throw error;
  }
}

/**
 * A role that can log in, and nothing else. `verifier` as `scramVerifier` makes it. Its commit does not wait for the
 * disk, since that of `createOwnedDatabase` does so for both.
 */
export async function createRole(pool: pg.Pool, name: string, verifier: string): Promise<void> {
  const role = escapeIdentifier(name);
  const password = escapeLiteral(verifier);
  const isNew = await unlessFails(
    DUPLICATE_ROLE,
    pool.query(
      `set local synchronous_commit = off;
       create role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
       connection limit ${CONNECTION_LIMIT} password ${password};
       alter role ${role} set statement_timeout = '${STATEMENT_TIMEOUT_SECONDS}s'`,
    ),
  );
  // Its other attributes are ours from the first attempt, and only a superuser may name them again.
  if (!isNew) await pool.query(`alter role ${role} password ${password}`);
}

/**
 * A database that belongs to the role of its name. From template0, since anything could lie in template1; nobody can
 * connect before PUBLIC is shut out. The schema `public` belongs to `pg_database_owner`, which is the owner (since
 * PostgreSQL 15), who can so make schemas and the extensions that PostgreSQL calls trusted.
 *
 * An owner may raise the limit of a database, but not that of a role; and may open the database to other roles.
 */
export async function createOwnedDatabase(pool: pg.Pool, name: string): Promise<void> {
  const quoted = escapeIdentifier(name);
  await joinRole(pool, name);
  await unlessFails(
    DUPLICATE_DATABASE,
    pool.query(
      `create database ${quoted} owner ${quoted} template template0
       connection limit ${CONNECTION_LIMIT} allow_connections false`,
    ),
  );
  // One transaction, hence one wait for the disk.
  await pool.query(
    `revoke all on database ${quoted} from public;
     alter database ${quoted} allow_connections true`,
  );
}

/** Sets how many sessions a database that has the server for itself may have, and each of its users. */
export async function limitConnections(
  pool: Pick<pg.Pool, 'query'>,
  name: string,
  connections: number,
): Promise<void> {
  const { rows } = await pool.query<{ role: string }>(
    `select quote_ident(rolname) as role from pg_roles where rolcanlogin and not rolsuper`,
  );
  const roles = rows.map(({ role }) => `alter role ${role} connection limit ${connections}`);
  const database = `alter database ${escapeIdentifier(name)} connection limit ${connections}`;
  await pool.query([...roles, database].join(';'));
}

/** An administrator who is no superuser has to be a member of a role to give it a database. */
async function joinRole(pool: pg.Pool, name: string): Promise<void> {
  // Since PostgreSQL 16, being a member is not enough.
  const { rows } = await pool.query<{ joined: boolean }>(
    `select pg_has_role($1, case when current_setting('server_version_num')::int < 160000
                                 then 'member' else 'set' end) as joined`,
    [name],
  );
  if (!rows[0]?.joined) await pool.query(`grant ${escapeIdentifier(name)} to current_user`);
}

/** Removes a database, and ends its sessions; whether it is there or not. */
export async function dropDatabase(pool: pg.Pool, name: string): Promise<void> {
  const quoted = escapeIdentifier(name);
  // An owner can make a template of it, and a template cannot be dropped.
  const { rowCount } = await pool.query('select from pg_database where datname = $1 and datistemplate', [
    name,
  ]);
  if (rowCount) await pool.query(`alter database ${quoted} is_template false`);
  // PostgreSQL waits for every one of its processes, those included whose client never ends its login.
  const looking = setInterval(() => void endStalledLogins(pool).catch(() => {}), STALLED_MS);
  try {
    await pool.query(`drop database if exists ${quoted} with (force)`);
  } finally {
    clearInterval(looking);
  }
}

/** Removes a role, with what others granted to it in databases of theirs; whether it is there or not. */
export async function dropRole(pool: pg.Pool, name: string): Promise<void> {
  const role = escapeIdentifier(name);
  const drop = () => pool.query(`drop role if exists ${role}`);
  if (await unlessFails(DEPENDENT_OBJECTS, drop())) return;
  const { rows } = await pool.query<{ datname: string }>(
    `select distinct coalesce(datname, current_database()) as datname
     from pg_shdepend left join pg_database on pg_database.oid = dbid
     where refclassid = 'pg_authid'::regclass
       and refobjid = (select oid from pg_roles where rolname = $1)`,
    [name],
  );
  for (const { datname } of rows) await dropOwned(pool, { role: name, database: datname });
  await drop();
}

/** `drop owned` reaches the database that one is connected to, and what belongs to no database. */
async function dropOwned(
  pool: pg.Pool,
  { role, database }: { role: string; database: string },
): Promise<void> {
  const url = new URL(pool.options.connectionString ?? '');
  url.pathname = `/${encodeURIComponent(database)}`;
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`drop owned by ${escapeIdentifier(role)}`);
  } finally {
    await client.end();
  }
}
