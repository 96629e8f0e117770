import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { createDb } from '../src/client.ts';
import { migrate } from '../src/migrate.ts';
import { createTestDatabase } from '../src/testing.ts';

/** Milliseconds. */
const LIMIT = 50;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

test('a migration may take longer than any other statement, and only it', async () => {
  const { url, drop } = await createTestDatabase();
  ends.push(drop);
  const pool = new pg.Pool({ connectionString: url, max: 1, options: `-c statement_timeout=${LIMIT}` });
  ends.push(() => pool.end());
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  ends.push(() => other.end());

  await other.query('begin');
  await other.query('lock table kysely_migration');
  const migrated = Promise.allSettled([migrate(createDb(pool))]);
  const waitsLong = `
    select relation from pg_locks join pg_database on pg_database.oid = database and datname = current_database()
    where not granted and clock_timestamp() - waitstart > make_interval(secs => ${(2 * LIMIT) / 1000})`;
  await vi.waitFor(async () => expect((await other.query(waitsLong)).rows).toHaveLength(1), {
    timeout: 15_000,
  });
  await other.query('commit');
  expect(await migrated).toEqual([{ status: 'fulfilled', value: undefined }]);
  await expect(pool.query('select pg_sleep(60)')).rejects.toThrow('statement timeout');
});

test('a lock that does not come in time is waited for again', async () => {
  const { url, drop } = await createTestDatabase();
  ends.push(drop);
  const pool = new pg.Pool({ connectionString: url, max: 1, options: `-c lock_timeout=${LIMIT}` });
  ends.push(() => pool.end());
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  ends.push(() => other.end());

  await other.query('begin');
  await other.query('lock table kysely_migration');
  const migrated = Promise.allSettled([migrate(createDb(pool))]);
  const beginnings = new Set<number>();
  const waits = `
    select extract(epoch from waitstart)::float8 as began from pg_locks
    join pg_database on pg_database.oid = database and datname = current_database()
    where not granted and waitstart is not null`;
  const look = async () => {
    for (const { began } of (await other.query<{ began: number }>(waits)).rows) beginnings.add(began);
    expect(beginnings.size).toBeGreaterThan(1);
  };
  await vi.waitFor(look, { timeout: 15_000, interval: 5 });
  await other.query('commit');
  expect(await migrated).toEqual([{ status: 'fulfilled', value: undefined }]);
});
