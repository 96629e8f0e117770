import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb, createPool } from '../src/client.ts';
import { allowSeconds } from '../src/patience.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing.ts';

const run = promisify(execFile);

/** Milliseconds; the client waits for 250 more. */
const STATEMENT = 300;
const LONGER = 1000;
const limits = { statement: STATEMENT, lock: 2000, idleInTransaction: 10_000, connect: 10_000 };
const SLEEP = `select pg_sleep(${LONGER / 1000})`;

let database: TestDatabase;
let db: ReturnType<typeof createDb>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.url, max: 1, limits }));
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const sleep = sql.raw(SLEEP);

test('one transaction may be given more time for its statements, and the next has the usual', async () => {
  await db.transaction().execute(async (trx) => {
    await allowSeconds(trx, 30);
    await sleep.execute(trx);
  });
  await expect(sleep.execute(db)).rejects.toMatchObject({ code: '57014' });
});

test('an answer that came while this process stood still is no silence', async () => {
  await db.transaction().execute(async (trx) => {
    const asked = sql`select pg_sleep(0.2)`.execute(trx);
    // By now it is on its way.
    await wait(50);
    // Where timers come before what has arrived.
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONGER));
    await asked;
  });
});

test('a query is timed beside one whose values cannot be written', async () => {
  const pool = createPool({ url: database.url, max: 1, limits });
  const client = await pool.connect();
  // Of this limit the client knows nothing, so it is the client that ends the wait.
  await client.query("select set_config('statement_timeout', '0', false)");
  const endless: unknown[] = [];
  endless.push({ endless });
  const asked = [client.query('select $1', [{ endless }]), client.query('select 1'), client.query(SLEEP)];
  const [unwritten, answered, silent] = await Promise.allSettled(asked);
  expect(unwritten).toMatchObject({ status: 'rejected', reason: { name: 'TypeError' } });
  expect(answered).toMatchObject({ status: 'fulfilled' });
  expect(silent).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEDOUT' } });
  client.release(true);
  await pool.end();
});

test('what a query was answered with is gone with the next collections of the young generation', async () => {
  const program = join(import.meta.dirname, 'fixtures/old-generation.ts');
  const { stdout } = await run(process.execPath, ['--expose-gc', program, database.url]);
  expect(Number(stdout)).toBeLessThan(1000);
});
