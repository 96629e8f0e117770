import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ManagedDatabase } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { addressOf, concluded, makeDatabase } from './database-fixtures.ts';
import { openMysql } from './mysql-session.ts';

const run = promisify(execFile);
const present = requireTool('mariadbd') && requireTool('mariadb');

/** What MariaDB's own client answers. */
async function mariadb(address: string, statement: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(address);
  const { stdout } = await run(
    'mariadb',
    [
      ...['--no-defaults', '--batch', '--skip-column-names', `--host=${hostname}`, `--port=${port}`],
      ...[`--user=${username}`, `--database=${pathname.slice(1)}`, `--execute=${statement}`],
    ],
    { env: { PATH: process.env.PATH, MYSQL_PWD: password } },
  );
  return stdout.trim();
}

describe.skipIf(!present)('a MySQL database', () => {
  let world: World;
  let ada: Person;
  let bob: Person;

  beforeAll(async () => {
    world = await createWorld({ running: true });
    ada = await world.as('Ada');
    bob = await world.as('Bob');
  });
  afterAll(() => world.close());

  test('comes from one call, and its address works in every client', async () => {
    const { status, body } = await ada.rest('POST /api/databases', { body: { name: 'shop', type: 'mysql' } });
    expect([status, body]).toMatchObject([201, { name: 'shop', type: 'mysql', status: 'creating' }]);
    const database = await concluded(ada, (body as ManagedDatabase).id);
    expect(database).toMatchObject({ status: 'available', error: '' });
    const address = await addressOf(ada, database);
    expect(address).toMatch(/^mysql:\/\/(db_\w+):\w{32}@127\.0\.0\.1:\d+\/\1$/);
    const connection = await openMysql(address);
    await connection.query('create table orders (n int)');
    await connection.query('insert into orders values (7)');
    expect(await mariadb(address, 'select n from orders')).toBe('7');
    expect(await ada.rpc.databases.usage.query(database)).toMatchObject({
      size: expect.any(Number),
      connections: 1,
      connectionLimit: 20,
    });
    await connection.end();
  });

  test('takes a new password, and refuses the old one at once', async () => {
    const database = await makeDatabase(ada, { type: 'mysql' });
    const old = await addressOf(ada, database);
    const session = await openMysql(old);
    const { connectionString } = await ada.rpc.databases.rotatePassword.mutate(database);
    await expect(session.query('select 1')).rejects.toThrow();
    await expect(mariadb(old, 'select 1')).rejects.toThrow('Access denied');
    expect(await mariadb(connectionString, 'select 1')).toBe('1');
  });

  test('whose password was changed at the server says so, until it is rotated', async () => {
    const database = await makeDatabase(ada, { type: 'mysql', name: 'changed' });
    const address = await addressOf(ada, database);
    await mariadb(address, "set password = password('her-own')");
    await expect(mariadb(address, 'select 1')).rejects.toThrow('Access denied');
    expect(await ada.rest(`GET /api/databases/${database.id}/connection`)).toMatchObject({
      status: 200,
      body: { connectionString: address, passwordChanged: true },
    });
    expect(await ada.rpc.databases.get.query(database)).toMatchObject({ passwordChanged: true });
    const renewed = await ada.rpc.databases.rotatePassword.mutate(database);
    expect(await mariadb(renewed.connectionString, 'select 1')).toBe('1');
    expect(await ada.rpc.databases.connection.query(database)).toEqual({
      ...renewed,
      passwordChanged: false,
    });
  });

  test('is gone when it was deleted', async () => {
    const database = await makeDatabase(ada, { type: 'mysql', name: 'short-lived' });
    const address = await addressOf(ada, database);
    await ada.rpc.databases.remove.mutate(database);
    await expect
      .poll(() => mariadb(address, 'select 1').catch((error: Error) => error.message))
      .toContain('Access denied');
  });

  test('belongs to one person, at the console and at the server', async () => {
    const hers = await makeDatabase(ada, { type: 'mysql', name: 'hers' });
    const his = await addressOf(bob, await makeDatabase(bob, { type: 'mysql', name: 'his' }));
    expect(await bob.rest(`GET /api/databases/${hers.id}/connection`)).toMatchObject({ status: 404 });
    const { pathname } = new URL(await addressOf(ada, hers));
    await expect(mariadb(his, `use ${pathname.slice(1)}`)).rejects.toThrow('Access denied');
    expect(await mariadb(his, 'show databases')).not.toContain(pathname.slice(1));
  });
});

test('without its setting, MongoDB is refused by the name of it', async () => {
  const world = await createWorld({ running: true });
  const ada = await world.as('Ada');
  const reason = "MANAGED_MONGODB_URL is not set. An admin can set it in the server's environment.";
  const engines = await ada.rpc.databases.engines.query();
  expect(engines).toContainEqual({ type: 'mongodb', available: false, reason });
  const answer = await ada.rest('POST /api/databases', { body: { name: 'documents', type: 'mongodb' } });
  expect(answer).toMatchObject({ status: 503, body: { message: reason } });
  await world.close();
});
