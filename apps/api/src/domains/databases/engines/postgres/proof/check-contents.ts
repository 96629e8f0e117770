import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inDatabaseAt } from '../in-database.ts';

const { escapeIdentifier } = pg;

/** Rows of each table, by its schema and name as statements write them. */
export type RowCounts = ReadonlyMap<string, number>;

/** Which transactions there were: the same twice, nothing was written in between. */
export interface Written {
  /** Whether none was under way that writes. */
  still: boolean;
  upTo: string;
}

/** SQLSTATEs of `data_corrupted` and `index_corrupted`. */
const DAMAGED = ['XX001', 'XX002'];

/** Seconds that one statement may take. */
const PATIENCE = 30 * 60;

/** What is in a database whose contents outlive a crash: unlogged tables are empty after it, by their nature. */
const KEPT = `
  relpersistence = 'p' and relnamespace not in (
    select oid from pg_namespace where nspname in ('pg_catalog', 'information_schema') or nspname like 'pg\\_toast%'
  )`;

/** Does something in a database as the administrator of its server, with no function of its people in the way. */
export function inDatabase<T>(
  { address, name }: { address: string; name: string },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return inDatabaseAt({ address, database: name, patience: PATIENCE }, work);
}

/** What was written so far. */
export async function writtenIn(client: pg.Client): Promise<Written> {
  const { rows } = await client.query<Written>(
    `select pg_snapshot_xmin(now) = pg_snapshot_xmax(now) as still, pg_snapshot_xmax(now)::text as "upTo"
     from pg_current_snapshot() as now`,
  );
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL gave no snapshot.');
  return row;
}

/** Reads every row of every table, in one state of them all. */
export async function countRows(client: pg.Client): Promise<RowCounts> {
  await client.query('begin isolation level repeatable read read only');
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind in ('r', 'm') and ${KEPT} order by 1`,
  );
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*) from only ${name}`);
    counts.set(name, Number(rows[0]?.count));
  }
  await client.query('commit');
  return counts;
}

/**
 * Looks for damage in all tables and in all indexes of the kind that keeps an order, with PostgreSQL's own `amcheck`, in a
 * database that nobody else uses. The answer is the first that it finds, as a sentence; undefined where there is none.
 */
export async function findDamage(client: pg.Client): Promise<string | undefined> {
  const schema = escapeIdentifier(`nephos_${randomBytes(8).toString('hex')}`);
  await client.query(
    `drop extension if exists amcheck cascade; create schema ${schema}; create extension amcheck schema ${schema}`,
  );
  const { rows: tables } = await client.query<{ oid: number; name: string }>(
    `select oid, oid::regclass::text as name from pg_class
     where relkind in ('r', 'm', 't') and relpersistence = 'p'`,
  );
  for (const { oid, name } of tables) {
    const { rows } = await client.query<{ msg: string }>(
      `select msg from ${schema}.verify_heapam(relation => $1::oid, on_error_stop => true)`,
      [oid],
    );
    if (rows[0]) return `The table ${name} is damaged: ${rows[0].msg}.`;
  }
  const { rows: indexes } = await client.query<{ oid: number; name: string }>(
    `select indexrelid as oid, indexrelid::regclass::text as name
     from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
     where amname = 'btree' and relkind = 'i' and relpersistence = 'p' and indisvalid and indisready`,
  );
  for (const { oid, name } of indexes) {
    try {
      await client.query(`select ${schema}.bt_index_check(index => $1::oid, heapallindexed => true)`, [oid]);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !DAMAGED.includes(error.code ?? '')) throw error;
      return `The index ${name} is damaged: ${error.message}.`;
    }
  }
  return undefined;
}
