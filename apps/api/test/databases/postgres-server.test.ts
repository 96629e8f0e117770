import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@nephos/db/embedded';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import { createWorld } from '../world.ts';
import { altered, databaseEngineContract } from './database-engine-contract.ts';
import { ask, makeDatabase, PATIENCE } from './database-fixtures.ts';
import { type ManagedPostgres, startManagedPostgres } from './managed-postgres.ts';

/** Steps that undo what a test began, the latest first. */
const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

async function start(environment?: Record<string, string>): Promise<ManagedPostgres> {
  const server = await startManagedPostgres(environment);
  undo.push(server.close);
  return server;
}

/** Another program on a port. */
async function occupy(port: number): Promise<Server> {
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  undo.push(async () => other.close());
  return other;
}

test('the server of a database is made with it, and started again when it dies, with what it holds', async () => {
  const server = await start();
  expect(server.engine.unavailable()).toBeNull();
  expect(await readdir(server.dataDir)).toEqual(['home']);
  const { name, address } = await server.make();
  await ask(address, 'create table kept as select 7 as n');
  process.kill((await server.pidOf(name)) ?? 0, 'SIGKILL');
  const answer = () => ask(address, 'select n from kept').catch(({ code }) => code);
  await expect.poll(answer, PATIENCE).toEqual([[7]]);
  await server.make();
});

test('a port that is taken stops neither the console nor what it is for, once it is free', {
  timeout: 120_000,
}, async () => {
  const port = await freePort();
  const other = await occupy(port);
  const world = await createWorld({ running: true, settings: { managedPostgresPort: port } });
  undo.push(world.close);
  const ada = await world.as('Ada');
  const message = `MANAGED_POSTGRES_PORT ${port} is in use by another program: set it to another port.`;
  const postgres = async () =>
    (await ada.rpc.databases.engines.query()).find(({ type }) => type === 'postgresql');
  await expect.poll(postgres, PATIENCE).toEqual({ type: 'postgresql', available: false, reason: message });
  const refused = await ada.rest('POST /api/databases', { body: { name: 'main' } });
  expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', message } });
  expect(await ada.rpc.databases.list.query()).toEqual([]);

  other.close();
  await expect.poll(postgres, PATIENCE).toMatchObject({ available: true });
  const database = await makeDatabase(ada);
  const { connectionString } = await ada.rpc.databases.connection.query(database);
  expect(new URL(connectionString).port).toBe(String(port));
});

test('MANAGED_POSTGRES_URL that leads nowhere is named, and its password is not', async () => {
  const port = await freePort();
  const server = await start({
    MANAGED_POSTGRES_URL: `postgres://admin:a-secret@127.0.0.1:${port}/postgres`,
  });
  expect(server.engine.unavailable()).toBe(
    'The server of MANAGED_POSTGRES_URL cannot be used at the moment.',
  );
  await expect(server.make()).rejects.toThrow();
  expect(await server.logged()).not.toContain('a-secret');
});

/** A server that somebody else runs, and the address of a role there with `attributes`. */
async function given(attributes: string) {
  const home = await mkdtemp(join(tmpdir(), 'nephos-given-'));
  await chmod(home, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: join(home, 'data'), durable: false });
  await ask(server.url, `create role admin login ${attributes} password 'admin'`);
  return {
    url: altered(server.url, { name: 'admin', password: 'admin' }),
    async close() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

test('a role of MANAGED_POSTGRES_URL that may not administer is named', async () => {
  const { url, close } = await given('createdb');
  undo.push(close);
  const server = await start({ MANAGED_POSTGRES_URL: url });
  expect(server.engine.unavailable()).toBe(
    'The role of MANAGED_POSTGRES_URL must be allowed to create roles and databases.',
  );
});

test('the server of our own data is refused, under another name too, and left as it is', async () => {
  const { url, close } = await given('createrole createdb');
  undo.push(close);
  const own = new URL(url);
  own.hostname = 'localhost';
  own.pathname = '/template1';
  const server = await start({ MANAGED_POSTGRES_URL: url, DATABASE_URL: own.href });
  expect(server.engine.unavailable()).toBe(
    'MANAGED_POSTGRES_URL is the server of DATABASE_URL. Set it to a separate server.',
  );
  await expect(server.make()).rejects.toThrow();
  expect(await ask(url, "select has_database_privilege('public', 'postgres', 'connect')")).toEqual([[true]]);
});

test('a server beside that of our own data is taken', async () => {
  const [managed, own] = await Promise.all([given('createrole createdb'), given('nosuperuser')]);
  undo.push(managed.close, own.close);
  const server = await start({ MANAGED_POSTGRES_URL: managed.url, DATABASE_URL: own.url });
  const { address } = await server.make();
  expect(await ask(address, 'select 1')).toEqual([[1]]);
});

test('a server of the operator, whose access rules are not ours, lets a role into its own database alone', async () => {
  // A superuser: the database `postgres` belongs to another one, who would have to close it.
  const { url, close } = await given('superuser');
  undo.push(close);
  const server = await start({ MANAGED_POSTGRES_URL: url });
  const [mine, theirs] = [await server.make(), await server.make()];
  expect(await ask(mine.address, 'select 1')).toEqual([[1]]);
  for (const database of [theirs.name, 'postgres', 'template1']) {
    await expect(ask(altered(mine.address, { database }), 'select 1')).rejects.toMatchObject({
      code: '42501',
    });
  }
});

databaseEngineContract('PostgreSQL of MANAGED_POSTGRES_URL, whose role is no superuser,', async () => {
  const { url, close } = await given('createrole createdb');
  const server = await startManagedPostgres({ MANAGED_POSTGRES_URL: `${url}?sslmode=disable` });
  return {
    ...server,
    async close() {
      await server.close();
      await close();
    },
  };
});
