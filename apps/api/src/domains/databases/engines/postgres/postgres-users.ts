import pg from 'pg';
import { STATEMENT_TIMEOUT_SECONDS } from '../limits.ts';
import { inDatabase } from './in-database.ts';
import { replacePassword } from './postgres-sessions.ts';

const { escapeIdentifier } = pg;

/** What a further user may do with the tables, and the sequences, of the database's owner. */
const RIGHTS = {
  read: { tables: 'select', sequences: 'select' },
  write: { tables: 'select, insert, update, delete', sequences: 'select, usage, update' },
} as const;

export interface FurtherUser {
  name: string;
  access: keyof typeof RIGHTS;
  /** As `scramVerifier` makes it. */
  verifier: string;
  connections: number;
}

/**
 * Makes a further user of a database that has the server for itself, or gives them another password, and all rights on
 * what its owner has there, and will have. May be repeated.
 */
export async function setUser(
  pool: pg.Pool,
  database: string,
  { name, access, verifier, connections }: FurtherUser,
): Promise<void> {
  const [role, owner] = [escapeIdentifier(name), escapeIdentifier(database)];
  const { tables, sequences } = RIGHTS[access];
  const { rowCount } = await pool.query('select from pg_roles where rolname = $1', [name]);
  if (!rowCount) {
    // Nobody gets in as them before they have a password.
    await pool.query(
      `create role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
       alter role ${role} set statement_timeout = '${STATEMENT_TIMEOUT_SECONDS}s'`,
    );
  }
  await pool.query(`alter role ${role} login connection limit ${connections}`);
  await inDatabase(pool, database, async (client) => {
    // First what is to come, so that what is made meanwhile is not missed.
    await client.query(
      `grant connect on database ${owner} to ${role};
       alter default privileges for role ${owner} grant usage on schemas to ${role};
       alter default privileges for role ${owner} grant ${tables} on tables to ${role};
       alter default privileges for role ${owner} grant ${sequences} on sequences to ${role}`,
    );
    await grant(client, `grant usage on schema`, role, await schemasOf(client, database));
    await grant(client, `grant ${tables} on table`, role, await relationsOf(client, database, 'rpvmf'));
    await grant(client, `grant ${sequences} on sequence`, role, await relationsOf(client, database, 'S'));
  });
  await replacePassword(pool, name, verifier);
}

/** Removes a further user and their rights, and ends their sessions; whether they are there or not. */
export async function removeUser(pool: pg.Pool, database: string, name: string): Promise<void> {
  const { rowCount } = await pool.query('select from pg_roles where rolname = $1', [name]);
  if (!rowCount) return;
  const role = escapeIdentifier(name);
  await pool.query(`alter role ${role} nologin`);
  await replacePassword(pool, name, '');
  await inDatabase(pool, database, (client) =>
    // What they own, such as a large object, is its owner's from now on.
    client.query(`reassign owned by ${role} to ${escapeIdentifier(database)}; drop owned by ${role}`),
  );
  await pool.query(`drop role ${role}`);
}

async function grant(
  client: pg.Client,
  right: string,
  role: string,
  names: readonly string[],
): Promise<void> {
  if (names.length > 0) await client.query(`${right} ${names.join(', ')} to ${role}`);
}

/** Those of the owner, and `public`, quoted. */
async function schemasOf(client: pg.Client, owner: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(nspname) as name from pg_namespace
     where nspowner = (select oid from pg_roles where rolname = $1) or nspname = 'public'`,
    [owner],
  );
  return rows.map(({ name }) => name);
}

/** Those of the owner, of the kinds that `pg_class.relkind` has a letter for; quoted. */
async function relationsOf(client: pg.Client, owner: string, kinds: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(nspname) || '.' || quote_ident(relname) as name
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relowner = (select oid from pg_roles where rolname = $1)
       and relkind::text = any(string_to_array($2, null)) and relpersistence <> 't'`,
    [owner, kinds],
  );
  return rows.map(({ name }) => name);
}
