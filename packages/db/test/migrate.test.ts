import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { createDb, createPool } from '../src/client.ts';
import { isMigrated, migrate, type SchemaStep } from '../src/migrate.ts';
import { migrations } from '../src/migrations/list.ts';
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
    timeout: 60_000,
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
  await vi.waitFor(look, { timeout: 60_000, interval: 5 });
  await other.query('commit');
  expect(await migrated).toEqual([{ status: 'fulfilled', value: undefined }]);
});

/** A database as this release leaves it, in which no lock is long in coming. */
async function openDatabase() {
  const { url, drop } = await createTestDatabase();
  ends.push(drop);
  const pool = createPool({ url, max: 4 });
  ends.push(() => pool.end());
  return createDb(pool);
}

function step(text: string, more: Partial<SchemaStep> = {}): SchemaStep {
  return { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)), ...more };
}

async function executed(db: Awaited<ReturnType<typeof openDatabase>>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name > '9' order by name`.execute(db);
  return rows.map(({ name }) => name);
}

test('what was done stays when a later step fails, which leaves nothing, and the next start goes on from there', async () => {
  const db = await openDatabase();
  const good = step('create table first_step ()');
  const bad = step('create table second_step (); select 1/0');
  const later = step('create table third_step ()');
  const steps = { ...migrations, '9001-good': good, '9002-bad': bad, '9003-later': later };
  await expect(migrate(db, steps)).rejects.toThrow('division by zero');
  expect(await executed(db)).toEqual(['9001-good']);
  const { rows } =
    await sql`select to_regclass('first_step')::text as one, to_regclass('second_step') as two`.execute(db);
  expect(rows).toEqual([{ one: 'first_step', two: null }]);

  await migrate(db, { ...steps, '9002-bad': step('create table second_step ()') });
  expect(await executed(db)).toEqual(['9001-good', '9002-bad', '9003-later']);
});

test('a release before, started on what a newer one made of it, goes on serving', async () => {
  const db = await openDatabase();
  const newer = { ...migrations, '9001-newer': step('create table newer ()') };
  await Promise.all([migrate(db, newer), migrate(db), migrate(db, newer)]);
  await migrate(db);
  expect(await isMigrated(db)).toBe(true);
  expect(await executed(db)).toEqual(['9001-newer']);
  // What is neither behind nor ahead was made by something else.
  const other = { ...migrations, '9002-other': step('create table other ()') };
  await expect(migrate(db, other)).rejects.toThrow('9001-newer is missing');
});

test('what PostgreSQL does in no transaction is a step as well', async () => {
  const db = await openDatabase();
  const concurrently = step('create index concurrently at_leisure on users (email)', {
    withoutTransaction: true,
  });
  await migrate(db, {
    ...migrations,
    '9001-index': concurrently,
    '9002-after': step('create table after ()'),
  });
  expect(await executed(db)).toEqual(['9001-index', '9002-after']);
});
