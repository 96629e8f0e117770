import type pg from 'pg';
import { dropDatabase, dropRole } from './postgres-databases.ts';

/** Of PostgreSQL's own. */
const THEIRS = ['template0', 'template1', 'postgres'];
/** From here on, PostgreSQL numbers what is not its own. */
const FIRST_OID = 16_384;

/** Removes from a server all databases and roles but those of one name. Throws where another one is left. */
export async function leaveOnly(pool: pg.Pool, name: string): Promise<void> {
  for (const other of await otherDatabases(pool, name)) await dropDatabase(pool, other);
  for (const other of await otherRoles(pool, name)) await dropRole(pool, other);
  const left = [...(await otherDatabases(pool, name)), ...(await otherRoles(pool, name))];
  if (left.length > 0) throw new Error('Not all that belongs to others could be removed.');
}

async function otherDatabases(pool: pg.Pool, name: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'select datname as name from pg_database where datname <> all ($1)',
    [[...THEIRS, name]],
  );
  return rows.map((row) => row.name);
}

async function otherRoles(pool: pg.Pool, name: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select rolname as name from pg_authid where oid >= ${FIRST_OID} and rolname <> $1`,
    [name],
  );
  return rows.map((row) => row.name);
}
