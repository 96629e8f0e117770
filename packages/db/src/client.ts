import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { CheckedPool } from './checked-pool.ts';
import { pipelineTransactions } from './pipeline.ts';
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

const JSON_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format),
};

/** Milliseconds: what a server is told, and how long it may take to be reached. */
export interface DbLimits {
  /** Time for one statement; `allowSeconds` gives more. The client waits a quarter of a second longer, and no more. */
  statement: number;
  /** Time to wait for a lock. */
  lock: number;
  /** Between two statements of a transaction. */
  idleInTransaction: number;
  /** Until a connection is there, be it from the pool or a new one. */
  connect: number;
}

/** So that nobody who asks something of the console waits for longer than 5 s, also while the database is gone. */
const OF_REQUESTS: DbLimits = { statement: 4000, lock: 2000, idleInTransaction: 10_000, connect: 2000 };

export interface DbOptions {
  url: string;
  /** Connections at most. */
  max?: number;
  /** Told of connections that were lost; the pool replaces them. */
  onError?: (error: Error) => void;
  /** By default those of requests. */
  limits?: DbLimits;
  /** As the server's own views name the connections. */
  name?: string;
  /** What else the server is told, as `-c name=value`. What the address itself says in `options` takes the place of all. */
  parameters?: string;
  /** How values are read; by default as JSON carries them. */
  types?: pg.CustomTypesConfig;
}

/**
 * A pool whose connections never bring the process down, and whose callers wait no longer than its limits say, whether
 * the server ends, freezes, or its network loses connections without a word.
 */
export function createPool(options: DbOptions): pg.Pool {
  const {
    url,
    max = 10,
    onError = () => {},
    limits = OF_REQUESTS,
    name = 'nephos',
    parameters = '',
    types = JSON_TYPES,
  } = options;
  const pool = new CheckedPool({
    connectionString: url,
    max,
    types,
    application_name: name,
    connectionTimeoutMillis: limits.connect,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    pipeline: true,
    statementTimeout: limits.statement,
    options: `${parametersOf(limits)} ${parameters}`.trim(),
  });
  // Without these two, a server that ends a connection ends this process: `error` has no other listener.
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', onError);
    keepPreparedStatements(client);
    pipelineTransactions(client);
  });
  return pool;
}

function parametersOf({ statement, lock, idleInTransaction }: DbLimits): string {
  return [
    `-c statement_timeout=${statement}`,
    `-c lock_timeout=${lock}`,
    `-c idle_in_transaction_session_timeout=${idleInTransaction}`,
  ].join(' ');
}

/** Kysely over a pool, with camel-case names. */
export function createDb(pool: pg.Pool): Kysely<Database> {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}
