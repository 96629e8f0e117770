import { setTimeout as wait } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb, createPool } from '../src/client.ts';
import { allowSeconds } from '../src/patience.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing.ts';

/** Milliseconds; the client waits for 250 more. */
const STATEMENT = 300;
const LONGER = 1000;

let database: TestDatabase;
let db: ReturnType<typeof createDb>;

beforeAll(async () => {
  database = await createTestDatabase();
  const limits = { statement: STATEMENT, lock: 2000, idleInTransaction: 10_000, connect: 10_000 };
  db = createDb(createPool({ url: database.url, max: 1, limits }));
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const sleep = sql`select pg_sleep(${LONGER / 1000})`;

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

const QUERIES = 400;

function oldGeneration(): number {
  const { space_used_size } =
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space') ?? {};
  return space_used_size ?? Number.NaN;
}

test('what a query was answered with is gone with the next collections of the young generation', async () => {
  setFlagsFromString('--expose-gc');
  const collect: (options?: { type: 'minor' }) => void = runInNewContext('gc');
  const ask = () => sql`select c.* from pg_class c where oid = 'pg_class'::regclass`.execute(db);

  /** Bytes of each query that grew old. */
  async function oldOfEach(): Promise<number> {
    const asked = ask();
    // It is old by the time of its answer, which those after it may not be for that.
    for (let age = 0; age < 3; age += 1) {
      collect({ type: 'minor' });
      await wait(0);
    }
    await asked;
    const before = oldGeneration();
    for (let query = 0; query < QUERIES; query += 1) {
      await ask();
      if (query % 10 === 0) collect({ type: 'minor' });
    }
    return (oldGeneration() - before) / QUERIES;
  }

  collect();
  // In one of the rounds nothing else of this process grows old.
  const rounds = [await oldOfEach(), await oldOfEach(), await oldOfEach()];
  expect(Math.min(...rounds)).toBeLessThan(1000);
});
