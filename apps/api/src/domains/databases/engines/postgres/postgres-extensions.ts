import pg from 'pg';
import { OFFERED_EXTENSIONS } from './extension-list.ts';
import { inDatabase } from './in-database.ts';

const { escapeIdentifier } = pg;

/**
 * Where extensions lie that PostgreSQL lets nobody but us make. Nobody else can make anything in it: the scripts of
 * extensions run as the administrator, and would otherwise take the functions of an owner for their own.
 */
const SCHEMA = 'nephos_extensions';

/** Why something about an extension cannot be done, for people. */
export class ExtensionRefusal extends Error {
  override readonly name = 'ExtensionRefusal';
  readonly code: 'IN_THE_WAY' | 'DEPENDED';

  constructor(code: ExtensionRefusal['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface ExtensionState {
  name: string;
  version: string;
  isOn: boolean;
  /** '' where it is off. */
  schema: string;
}

/** Of those that are offered and that the server has. */
export function listExtensions(pool: pg.Pool, database: string): Promise<ExtensionState[]> {
  return inDatabase(pool, database, async (client) => {
    const { rows } = await client.query<ExtensionState>(
      `select available.name, default_version as version, extension.oid is not null as "isOn",
         coalesce(nspname, '') as schema
       from pg_available_extensions as available
       left join pg_extension as extension on extname = available.name
       left join pg_namespace on pg_namespace.oid = extnamespace
       where available.name = any($1) order by available.name`,
      [Object.keys(OFFERED_EXTENSIONS)],
    );
    return rows;
  });
}

/**
 * Adds an extension that is offered, unless it is there. What an owner can make is made as they would make it, in
 * `public`, and is theirs. Throws `ExtensionRefusal`.
 */
export function addExtension(pool: pg.Pool, database: string, name: string): Promise<void> {
  return inTransaction(pool, database, async (client) => {
    const [version] = (
      await client.query<{ trusted: boolean; requires: string[] | null }>(
        `select trusted, requires::text[] from pg_available_extension_versions as versions
         join pg_available_extensions as available using (name)
         where name = $1 and versions.version = default_version`,
        [name],
      )
    ).rows;
    if (version?.trusted) {
      await client.query(`set local role ${escapeIdentifier(database)}`);
      await client.query(`create extension if not exists ${escapeIdentifier(name)} schema public`);
      return;
    }
    await makeSchema(client);
    for (const extension of [...(version?.requires ?? []), name]) await addAside(client, extension);
  });
}

async function makeSchema(client: pg.Client): Promise<void> {
  await client.query(`create schema if not exists ${SCHEMA}; grant usage on schema ${SCHEMA} to public`);
  const { rows } = await client.query<{ ours: boolean }>(
    'select nspowner = 10 as ours from pg_namespace where nspname = $1',
    [SCHEMA],
  );
  if (rows[0]?.ours) return;
  throw new ExtensionRefusal('IN_THE_WAY', `The schema ${SCHEMA} is in the way: rename it first.`);
}

/** In our own schema: what another relies on lies there, too, out of reach of the owner. */
async function addAside(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    'select nspname as schema from pg_extension join pg_namespace n on n.oid = extnamespace where extname = $1',
    [name],
  );
  const schema = rows[0]?.schema;
  if (schema === SCHEMA) return;
  if (schema !== undefined) {
    throw new ExtensionRefusal(
      'IN_THE_WAY',
      `The extension ${name} is in the schema ${schema}, and has to be in ${SCHEMA} for this: remove it first.`,
    );
  }
  await client.query(`create extension ${escapeIdentifier(name)} schema ${SCHEMA}`);
}

/** Removes an extension; whether it is there or not. Throws `ExtensionRefusal` where something depends on it. */
export async function removeExtension(
  pool: pg.Pool,
  database: string,
  { name, cascade }: { name: string; cascade: boolean },
): Promise<void> {
  try {
    await inTransaction(pool, database, async (client) => {
      const rule = cascade ? 'cascade' : 'restrict';
      await client.query(`drop extension if exists ${escapeIdentifier(name)} ${rule}`);
    });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '2BP01') throw error;
    const dependents = (error.detail ?? error.message).split('\n').join('; ');
    throw new ExtensionRefusal('DEPENDED', `Other things depend on ${name}: ${dependents}.`);
  }
}

function inTransaction(
  pool: pg.Pool,
  database: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  return inDatabase(pool, database, async (client) => {
    await client.query('begin');
    await work(client);
    await client.query('commit');
  });
}
