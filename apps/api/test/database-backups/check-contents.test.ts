import { createTestDatabase } from '@nephos/db/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countRows,
  findDamage,
  inDatabase,
  writtenIn,
} from '../../src/domains/databases/engines/postgres/proof/check-contents.ts';
import { ask } from '../databases/database-fixtures.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await ask(
    database.url,
    `create table people (id int primary key, name text);
     insert into people select n, 'Person ' || n from generate_series(1, 41) n;
     create table "odd ""name" (n int);
     create unlogged table passing (n int); insert into passing values (1)`,
  );
});
afterAll(() => database.drop());

const within = <T>(work: (client: pg.Client) => Promise<T>) =>
  inDatabase({ address: database.url, name: new URL(database.url).pathname.slice(1) }, work);

test('counts the rows of all tables that outlive a crash', async () => {
  const counts = await within(countRows);
  expect(counts.get('public.people')).toBe(41);
  expect(counts.get('public."odd ""name"')).toBe(0);
  expect(counts.has('public.passing')).toBe(false);
  expect([...counts.keys()].filter((name) => name.startsWith('pg_'))).toEqual([]);
});

test('knows whether anything was written between two looks', async () => {
  // Other tests write on the same server, whose transactions are counted as one.
  const unchanged = async () => {
    const { upTo } = await within(writtenIn);
    return upTo === (await within(writtenIn)).upTo;
  };
  await expect.poll(unchanged, { timeout: 60_000, interval: 5 }).toBe(true);
  const first = await within(writtenIn);
  await ask(database.url, 'update people set name = name where id = 1');
  expect((await within(writtenIn)).upTo).not.toBe(first.upTo);
});

test('finds an index that does not hold what its table does', async () => {
  await ask(
    database.url,
    `create function public.half(n int) returns int immutable language sql as 'select n / 2';
     create index people_half on people (public.half(id))`,
  );
  expect(await within(findDamage)).toBeUndefined();
  await ask(
    database.url,
    `create or replace function public.half(n int) returns int immutable language sql as 'select n / 3'`,
  );
  expect(await within(findDamage)).toMatch(/^The index public\.people_half is damaged: .+\.$/);
});
