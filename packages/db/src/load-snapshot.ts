import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { createDb, createPool } from './client.ts';
import { migrateTo } from './migrate.ts';
import type { Database } from './schema/database.ts';
import { type SequenceState, type TableShape, UNLIMITED } from './snapshot.ts';

/** What was kept of a database. */
export interface KeptSnapshot {
  lastMigration: string;
  queueVersion: number | null;
  tables: AsyncIterable<{ shape: TableShape; rows: Readable }>;
  sequences: readonly SequenceState[];
  /** Makes the tables of the job queue, as they are made at a first start. */
  queuePlans: string;
  signal: AbortSignal;
}

/** The database is not one that a backup may be restored into. Its message is for people. */
export class NotEmpty extends Error {
  override readonly name = 'NotEmpty';
}

const MARK = 'nephos: a backup is being restored';

/**
 * Loads what was kept into an empty database: the schema of then, its rows, and whatever constraints say of them, in one
 * transaction. `settled` is to be called when the rest of the installation is ready for its place: until then another
 * call throws away what is there and begins anew. Throws `NotEmpty`. Needs no superuser.
 */
export async function loadSnapshot(
  url: string,
  kept: KeptSnapshot,
): Promise<{ settled(): Promise<void>; queue: boolean }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'nephos restore',
    options: UNLIMITED,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await assertEmpty(client);
    await withDatabase(url, (db) => migrateTo(db, kept.lastMigration));
    const queue = await loadAll(client, kept);
    return {
      queue,
      settled: () => asClient(url, (other) => other.query('comment on schema public is null')),
    };
  } finally {
    await client.end();
  }
}

/** Throws `NotEmpty` where there is anything in the database that a restore did not put there. */
export async function assertLoadable(url: string): Promise<void> {
  await asClient(url, async (client) => {
    const { tables, marked } = await contentsOf(client);
    if (tables > 0 && !marked) throw notEmpty();
  });
}

const notEmpty = () =>
  new NotEmpty(
    'The database of DATABASE_URL is not empty, and a backup is restored into an empty one only: stop Nephos, and drop and create it, or set another. Nothing was changed.',
  );

async function contentsOf(client: pg.Client): Promise<{ tables: number; marked: boolean }> {
  const { rows } = await client.query<{ tables: number; mark: string | null }>(
    `select (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p')) as tables,
      obj_description('public'::regnamespace) as mark`,
  );
  return { tables: rows[0]?.tables ?? 0, marked: rows[0]?.mark === MARK };
}

async function assertEmpty(client: pg.Client): Promise<void> {
  const { tables, marked } = await contentsOf(client);
  if (tables > 0 && !marked) throw notEmpty();
  if (tables > 0) {
    await client.query('drop schema if exists pgboss cascade');
    await client.query('drop schema public cascade');
    await client.query('create schema public');
  }
  await client.query(`comment on schema public is '${MARK}'`);
}

async function loadAll(client: pg.Client, kept: KeptSnapshot): Promise<boolean> {
  const queue = kept.queueVersion !== null && (await makeQueue(client, kept));
  await client.query('begin');
  // Rows come table by table, and triggers have had their say when they were written.
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace::regnamespace::text in ('public', 'pgboss')`);
  const { rows: triggers } = await client.query<{ table: string; name: string; enabled: string }>(`
    select tgrelid::regclass::text as table, quote_ident(tgname) as name, tgenabled as enabled
    from pg_trigger join pg_class c on c.oid = tgrelid
    where not tgisinternal and tgenabled <> 'D' and c.relnamespace::regnamespace::text in ('public', 'pgboss')`);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { table, name } of triggers) await client.query(`alter table ${table} disable trigger ${name}`);
  const { rows: there } = await client.query<{ name: string }>(`
    select oid::regclass::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely_migration%'`);
  await client.query(`truncate ${there.map(({ name }) => name).join()}`);
  if (queue) await client.query('truncate pgboss.job, pgboss.queue cascade');
  for await (const { shape, rows } of kept.tables) {
    if (shape.name.startsWith('pgboss.') && !queue) {
      rows.resume();
      continue;
    }
    const sink = client.query(copyFrom(`copy ${shape.name} (${shape.columns.join()}) from stdin`));
    await pipeline(rows, sink, { signal: kept.signal });
  }
  for (const { name, value, called } of kept.sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [name, value, called]);
  }
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  for (const { table, name, enabled } of triggers) {
    const how = enabled === 'A' ? 'always ' : enabled === 'R' ? 'replica ' : '';
    await client.query(`alter table ${table} enable ${how}trigger ${name}`);
  }
  await client.query('commit');
  await client.query('analyze');
  return queue;
}

/** Whether the queue's tables are those of then. Those of another version would not take its rows. */
async function makeQueue(client: pg.Client, { queuePlans, queueVersion }: KeptSnapshot): Promise<boolean> {
  await client.query(queuePlans);
  const { rows } = await client.query<{ version: number }>('select version from pgboss.version');
  return rows[0]?.version === queueVersion;
}

async function withDatabase<T>(url: string, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const db = createDb(createPool({ url, max: 1 }));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

async function asClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: UNLIMITED });
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
