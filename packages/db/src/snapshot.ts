import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** The schemas whose tables are kept: ours, and that of the job queue. */
const OWN = 'public';
const QUEUE = 'pgboss';

/** Tables of ours that migrations fill, and no others. */
const OF_MIGRATIONS = ['kysely_migration', 'kysely_migration_lock'];

/** A table as PostgreSQL copies it. */
export interface TableShape {
  /** With its schema, quoted. */
  name: string;
  /** Quoted; not those that are computed of others. */
  columns: string[];
}

/** The next value of a sequence. */
export interface SequenceState {
  /** With its schema, quoted. */
  name: string;
  value: string;
  called: boolean;
}

/** All of our own data at one moment. */
export interface Snapshot {
  takenAt: Date;
  lastMigration: string;
  /** Of the job queue's tables; null where there are none. */
  queueVersion: number | null;
  tables: TableShape[];
  sequences: SequenceState[];
  /** The rows of a table, as COPY writes them in text format. */
  rows(table: TableShape): Readable;
  /** Asks something of the same moment. */
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  /** Ends the moment, and keeps the hold. */
  end(): Promise<void>;
  /** Throws where the hold was lost, as when PostgreSQL was started again: what is named may be gone by now. */
  assertHeld(): Promise<void>;
  /** Lets go of all. */
  close(): Promise<void>;
}

/** Somebody else is making a backup, or restoring one on trial. */
export class BackupRuns extends Error {
  override readonly name = 'BackupRuns';
}

/** Locks of this kind (`pg_locks.classid`) are ours; the number says what for. */
const LOCKS = 7_061_995;
const BACKUP_LOCK = 1;
const PROOF_LOCK = 2;

const isHeld = (lock: number) => `exists (
  select from pg_locks
  where locktype = 'advisory' and granted and classid = ${LOCKS} and objid = ${lock}
    and database = (select oid from pg_database where datname = current_database())
)`;

/** True while somebody makes a backup: what it names may not be deleted. */
export const BACKUP_RUNS = isHeld(BACKUP_LOCK);
/** True while somebody restores a backup on trial. */
export const PROOF_RUNS = isHeld(PROOF_LOCK);

/** Connections without the limits of requests: a table may take as long as it is large. */
export const UNLIMITED =
  '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0 -c DateStyle=ISO';

/**
 * Opens a moment of the database at an address, and holds the lock that keeps deletions away (`BACKUP_RUNS`) until
 * `close`, or until this process ends, however it does. Throws `BackupRuns`.
 */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = await connectWith(url, BACKUP_LOCK, 'Another backup is being made.');
  try {
    await client.query('begin isolation level repeatable read read only');
    return await describe(client);
  } catch (error) {
    await client.end();
    throw error;
  }
}

/**
 * Holds the lock that keeps other trial restores away (`PROOF_RUNS`) until what it resolves to is called, or until this
 * process ends, however it does. Throws `BackupRuns`.
 */
export async function holdProofs(url: string): Promise<() => Promise<void>> {
  const client = await connectWith(url, PROOF_LOCK, 'A backup is being restored on trial already.');
  return () => client.end();
}

/** A connection that has a lock for as long as it lasts. Throws `BackupRuns`, which says `refusal`. */
async function connectWith(url: string, lock: number, refusal: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'nephos backup',
    options: UNLIMITED,
    keepAlive: true,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>(
      `select pg_try_advisory_lock(${LOCKS}, ${lock}) as held`,
    );
    if (!rows[0]?.held) throw new BackupRuns(refusal);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function describe(client: pg.Client): Promise<Snapshot> {
  const query = async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows;
  const [moment] = await query<{ now: Date }>('select now() as now');
  const [migration] = await query<{ name: string }>(
    `select name from ${OWN}.kysely_migration order by name desc limit 1`,
  );
  if (!moment || !migration) throw new Error('The database has no migrations.');
  const [queue] = await query<{ there: boolean }>(
    `select to_regclass('${QUEUE}.version') is not null as there`,
  );
  const [version] = queue?.there
    ? await query<{ version: number }>(`select version from ${QUEUE}.version`)
    : [];
  const tables = await query<{ schema: string; name: string; columns: string[] }>(`
    select n.nspname as schema, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
      array_agg(quote_ident(a.attname) order by a.attnum) filter (where a.attgenerated = '') as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition
      and (n.nspname = '${OWN}' and c.relname not in (${OF_MIGRATIONS.map((name) => `'${name}'`).join()})
        or n.nspname = '${QUEUE}' and c.relname in ('queue', 'job'))
    group by n.nspname, c.relname
    order by n.nspname, c.relname = 'job', c.relname`);
  const sequences = await query<SequenceState>(`
    select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name,
      coalesce(last_value, start_value)::text as value, last_value is not null as called
    from pg_sequences where schemaname = '${OWN}' order by 1`);
  return {
    takenAt: moment.now,
    lastMigration: migration.name,
    queueVersion: version?.version ?? null,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    sequences,
    rows: ({ name, columns }) =>
      client.query(copyTo(`copy (select ${columns.join()} from ${name} ${unfinished(name)}) to stdout`)),
    query,
    end: async () => {
      await client.query('commit');
    },
    assertHeld: async () => {
      await client.query('select 1');
    },
    close: () => client.end(),
  };
}

/** Of the job queue only what still waits or runs; what has ended is history that it clears away itself. */
function unfinished(table: string): string {
  return table === `${QUEUE}.job` ? "where state in ('created', 'retry', 'active')" : '';
}
