import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { keepPreparedStatements } from './prepared.ts';
import type { Database } from './schema/database.ts';

const { builtins } = pg.types;

function toIso(value: string): string {
  return new Date(value).toISOString();
}

/** Values as JSON carries them: instants as ISO strings, bigint as a number (ours stay below 2^53). */
const parsers = new Map<number, (value: string) => unknown>([
  [builtins.TIMESTAMPTZ, toIso],
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format),
};

export interface DbOptions {
  url: string;
  /** Connections at most. */
  max?: number;
  /** Told of connections that the server ended; the pool replaces them. */
  onError?: (error: Error) => void;
}

/** A pool with the limits of reliability rule G8; its connections never bring the process down. */
export function createPool({ url, max = 10, onError = () => {} }: DbOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    application_name: 'nephos',
    connectionTimeoutMillis: 2000,
    idleTimeoutMillis: 30_000,
    options: '-c statement_timeout=5s -c lock_timeout=2s -c idle_in_transaction_session_timeout=10s',
  });
  // Without these two, a server that ends a connection ends this process: `error` has no other listener.
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', onError);
    keepPreparedStatements(client);
  });
  return pool;
}

/** Kysely over a pool, with camel-case names. */
export function createDb(pool: pg.Pool): Kysely<Database> {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}
