import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDb, createPool } from '../src/client.ts';
import { type Parameter, prepare } from '../src/prepared.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing.ts';

/** Milliseconds: long enough for a machine that has much else to do. */
const PATIENCE = 10_000;

let database: TestDatabase;
let db: ReturnType<typeof createDb>;

beforeAll(async () => {
  database = await createTestDatabase();
  const limits = {
    statement: 2 * PATIENCE,
    lock: 2 * PATIENCE,
    idleInTransaction: PATIENCE,
    connect: PATIENCE,
  };
  db = createDb(createPool({ url: database.url, max: 1, limits }));
  await sql`create table told (word text primary key check (word <> 'unspeakable'))`.execute(db);
});

afterEach(async () => {
  await sql`truncate told`.execute(db);
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const tell = prepare(
  (db, parameter: Parameter<{ word: string }>) =>
    sql`insert into told values (${parameter('word')})`.compile(db),
  { unread: true },
);
const waitFor = prepare(
  (db, parameter: Parameter<{ lock: string }>) =>
    sql`select pg_advisory_xact_lock(${parameter('lock')}::bigint)`.compile(db),
  { unread: true },
);

async function told(): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`select word from told order by word`.execute(db);
  return rows.map(({ word }) => word);
}

test('a transaction goes on without the answer to what nobody reads, and its commit waits for it', async () => {
  const holder = new pg.Client(database.url);
  await holder.connect();
  await holder.query('select pg_advisory_lock(7)');
  const events: string[] = [];
  const done = db.transaction().execute(async (trx) => {
    await tell(trx, { word: 'before' });
    await waitFor(trx, { lock: '7' });
    events.push('went on');
  });
  const committed = done.then(() => events.push('committed'));
  await expect.poll(() => events, { timeout: PATIENCE }).toEqual(['went on']);
  const waiting = `select count(*)::int as count from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  const count = async () => (await holder.query(waiting)).rows;
  await expect.poll(count, { timeout: PATIENCE }).toEqual([{ count: 1 }]);
  events.push('let go');
  await holder.end();
  await committed;
  expect(events).toEqual(['went on', 'let go', 'committed']);
  expect(await told()).toEqual(['before']);
});

test('a commit that waits behind an unread statement has as long as any', async () => {
  const limits = { statement: 900, lock: 2000, idleInTransaction: 10_000, connect: 10_000 };
  const impatient = createDb(createPool({ url: database.url, max: 1, limits }));
  await sql`create function idle() returns trigger language plpgsql as
    'begin perform pg_sleep(0.7); return null; end'`.execute(db);
  await sql`create trigger idle after insert on told for each row execute function idle()`.execute(db);
  await sql`create constraint trigger idle_at_commit after insert on told
    deferrable initially deferred for each row execute function idle()`.execute(db);
  try {
    // Together they take longer than either may.
    await impatient.transaction().execute((trx) => tell(trx, { word: 'slowly' }));
    expect(await told()).toEqual(['slowly']);
  } finally {
    await impatient.destroy();
    await sql`drop function idle cascade`.execute(db);
  }
});

test('a commit rejects with what an unread statement met, and nothing is left of the transaction', async () => {
  const failing = db.transaction().execute(async (trx) => {
    await tell(trx, { word: 'once' });
    await tell(trx, { word: 'unspeakable' });
    return 'done';
  });
  await expect(failing).rejects.toMatchObject({ code: '23514', constraint: 'told_word_check' });
  expect(await told()).toEqual([]);
  // The connection is as good as before.
  await db.transaction().execute((trx) => tell(trx, { word: 'again' }));
  expect(await told()).toEqual(['again']);
});

test('what comes after an unread statement that failed rejects with the cause', async () => {
  const failing = db.transaction().execute(async (trx) => {
    await tell(trx, { word: 'twice' });
    await tell(trx, { word: 'twice' });
    await sql`select 1`.execute(trx);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505', constraint: 'told_pkey' });
  expect(await told()).toEqual([]);
});

test('a transaction that is given up leaves nothing, whatever its unread statements met', async () => {
  for (const word of ['taken back', 'unspeakable']) {
    const failing = db.transaction().execute(async (trx) => {
      await tell(trx, { word });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await told()).toEqual([]);
  }
});

test('what failed since a savepoint is undone with it, and the transaction commits', async () => {
  const trx = await db.startTransaction().execute();
  await tell(trx, { word: 'kept' });
  const inner = await trx.savepoint('inner').execute();
  await tell(inner, { word: 'unspeakable' });
  await expect(inner.releaseSavepoint('inner').execute()).rejects.toMatchObject({ code: '23514' });
  const outer = await inner.rollbackToSavepoint('inner').execute();
  await tell(outer, { word: 'after' });
  await outer.commit().execute();
  expect(await told()).toEqual(['after', 'kept']);
});

test('outside of a transaction an unread statement is waited for', async () => {
  await tell(db, { word: 'alone' });
  await expect(tell(db, { word: 'unspeakable' })).rejects.toMatchObject({ code: '23514' });
  expect(await told()).toEqual(['alone']);
});

test('a transaction whose connection is lost rejects at its commit', async () => {
  const killer = new pg.Client(database.url);
  await killer.connect();
  const failing = db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await tell(trx, { word: 'lost' });
    await killer.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  });
  await expect(failing).rejects.toThrow();
  await killer.end();
  expect(await told()).toEqual([]);
});
