import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { altered } from './database-engine-contract.ts';
import { addressOf, ask, makeDatabase, PATIENCE } from './database-fixtures.ts';
import { connectPostgres } from './postgres-session.ts';

let world: World;
let ada: Person;
let bob: Person;
let id: string;
let owner: string;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  ({ id } = await makeDatabase(ada));
  owner = await addressOf(ada, { id });
  await ask(owner, 'create table orders (id int generated always as identity, what text)');
  await ask(owner, "insert into orders (what) values ('tea')");
});
afterAll(() => world.close());

const create = (name: string, access: 'read' | 'write') =>
  ada.rpc.databaseUsers.create.mutate({ id, name, access });
/** The SQLSTATE of a refusal. */
const refusal = (address: string, sql: string) =>
  ask(address, sql).then(
    () => 'done',
    ({ code }) => code,
  );
const DENIED = '42501';

test('reads, and reads what comes later, but changes nothing', async () => {
  const { user, connectionString } = await create('reporting', 'read');
  expect(new URL(connectionString)).toMatchObject({
    username: 'reporting',
    pathname: new URL(owner).pathname,
  });
  expect(await ada.rpc.databaseUsers.list.query({ id })).toEqual([user]);
  await ask(owner, 'create schema later');
  await ask(owner, 'create table later.notes as select 1 as n');
  expect(await ask(connectionString, 'select what, n from orders, later.notes')).toEqual([['tea', 1]]);
  for (const sql of [
    "insert into orders (what) values ('milk')",
    'delete from orders',
    'truncate orders',
    'create table mine (n int)',
    'create schema mine',
    'create role other',
    'select * from pg_authid',
    `copy orders to '/tmp/orders'`,
    `set role ${new URL(owner).username}`,
  ]) {
    expect([sql, await refusal(connectionString, sql)]).toEqual([sql, DENIED]);
  }
  // Nobody is let in to another database, nor as somebody who is none.
  for (const other of ['postgres', 'template1'])
    expect(await refusal(altered(connectionString, { database: other }), 'select 1')).toBe('28P01');
  expect(await refusal(altered(connectionString, { name: 'nobody' }), 'select 1')).not.toBe('done');
});

test('writes rows, and no more', async () => {
  const { connectionString } = await create('importer', 'write');
  await ask(owner, 'create table fresh (id serial, n int)');
  for (const sql of [
    "insert into orders (what) values ('milk')",
    "update orders set what = 'cocoa' where what = 'milk'",
    "delete from orders where what = 'cocoa'",
    'insert into fresh (n) values (1)',
  ]) {
    expect([sql, await refusal(connectionString, sql)]).toEqual([sql, 'done']);
  }
  for (const sql of ['drop table fresh', 'truncate fresh', 'alter table fresh add m int'])
    expect([sql, await refusal(connectionString, sql)]).toEqual([sql, DENIED]);
});

test('has another password at once, and is removed with their connections', async () => {
  const { user, connectionString: first } = await create('temporary', 'write');
  const session = await connectPostgres(first);
  let isEnded = false;
  session.on('end', () => {
    isEnded = true;
  });
  await session.query('select lo_create(0)');
  const by = { id, userId: user.id };
  const key = { headers: { 'idempotency-key': 'rotate-once' } };
  const rotate = () =>
    ada.rest(`POST /api/databases/${id}/users/${user.id}/rotate-password`, { body: {}, ...key });
  const answer = await rotate();
  expect(answer).toMatchObject({ status: 200, body: { user } });
  // A repetition tells the same.
  expect((await rotate()).body).toEqual(answer.body);
  const { connectionString: second } = answer.body as { connectionString: string };
  await expect.poll(() => isEnded, PATIENCE).toBe(true);
  expect(await refusal(first, 'select 1')).toBe('28P01');
  expect(await refusal(second, 'select 1')).toBe('done');

  expect(await ada.rpc.databaseUsers.remove.mutate(by)).toEqual({ success: true });
  expect(await refusal(second, 'select 1')).toBe('28P01');
  expect(await ask(owner, "select count(*)::int from pg_roles where rolname = 'temporary'")).toEqual([[0]]);
  expect(await ada.rpc.databaseUsers.list.query({ id })).not.toContainEqual(user);
  await expect(ada.rpc.databaseUsers.remove.mutate(by)).rejects.toMatchObject({ data: { httpStatus: 404 } });
});

test('refuses what cannot be a user, and whose database it is not', async () => {
  for (const name of [
    '',
    'Ada',
    '1st',
    'pg_monitor',
    'db_orders',
    'postgres',
    'public',
    'a-b',
    'x'.repeat(64),
  ]) {
    const answer = await ada.rest(`POST /api/databases/${id}/users`, { body: { name, access: 'read' } });
    expect([name, answer.status]).toEqual([name, 400]);
  }
  await create('twice', 'read');
  const again = await ada.rest(`POST /api/databases/${id}/users`, {
    body: { name: 'twice', access: 'write' },
  });
  expect(again).toMatchObject({ status: 409, body: { code: 'EXISTS' } });
  expect(await bob.rest(`GET /api/databases/${id}/users`)).toMatchObject({ status: 404 });
  const body = { name: 'spy', access: 'read' };
  expect(await bob.rest(`POST /api/databases/${id}/users`, { body })).toMatchObject({ status: 404 });
});
