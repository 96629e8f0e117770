import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import { MongoClient } from 'mongodb';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import { readSettings } from '../../src/core/env.ts';
import { newCredentials } from '../../src/domains/databases/credentials.ts';
import type { DatabaseEngine } from '../../src/domains/databases/engines/engine.ts';
import { createMongodbEngine } from '../../src/domains/databases/engines/mongodb/mongodb-engine.ts';
import { type MongodbServer, refusal, startMongodbServer } from './mongodb-server.ts';

/*
 * There is no MongoDB to be had where these tests run, so they show which commands the engine sends, in which order,
 * and what it makes of the answers. What a MongoDB does with the commands is in its manual, and not tested here.
 */

const engineAt = (url: string) =>
  createMongodbEngine({
    settings: readSettings({ MANAGED_MONGODB_URL: url }),
    log: pino({ level: 'silent' }),
  });

describe('the MongoDB engine', () => {
  let server: MongodbServer;
  let engine: DatabaseEngine;
  const credentials = newCredentials();
  const { name, password } = credentials;
  const user = {
    pwd: password,
    roles: [
      { role: 'readWrite', db: name },
      { role: 'dbAdmin', db: name },
    ],
    mechanisms: ['SCRAM-SHA-256'],
  };
  const endSessions = { killAllSessions: [{ user: name, db: name }], $db: 'admin' };
  const notFound = refusal(11, `Could not find user "${name}" for db "${name}"`);

  beforeEach(async () => {
    server = await startMongodbServer();
    engine = engineAt(server.url);
    await engine.start();
  });
  afterEach(async () => {
    await engine.stop();
    await server.close();
  });

  test('can make databases', () => expect(engine.unavailable()).toBeNull());

  test('makes a user in its own database, who can read, write and administer it', async () => {
    await engine.create(credentials);
    expect(server.sent()).toEqual([{ createUser: name, ...user, $db: name }]);
  });

  test('completes the user that is there already', async () => {
    server.answer('createUser', refusal(51_003, `User "${name}@${name}" already exists`));
    await engine.create(credentials);
    expect(server.sent()).toEqual([
      { createUser: name, ...user, $db: name },
      { updateUser: name, ...user, $db: name },
    ]);
  });

  test('takes a new password by making the user anew, so that no session of the old one remains', async () => {
    server.answer('usersInfo', { ok: 1, users: [{ user: name }] });
    await engine.setPassword(credentials);
    expect(server.sent()).toEqual([
      { usersInfo: name, $db: name },
      endSessions,
      { dropUser: name, $db: name },
      { createUser: name, ...user, $db: name },
    ]);
  });

  test('finishes a new password that was cut short when the user was gone', async () => {
    server.answer('usersInfo', { ok: 1, users: [] });
    server.answer('listDatabases', { ok: 1, databases: [{ name }] });
    server.answer('killAllSessions', notFound);
    server.answer('dropUser', notFound);
    await engine.setPassword(credentials);
    expect(server.sent()).toEqual([
      { usersInfo: name, $db: name },
      { listDatabases: 1, nameOnly: true, filter: { name }, $db: 'admin' },
      endSessions,
      { dropUser: name, $db: name },
      { createUser: name, ...user, $db: name },
    ]);
  });

  test.each(['setPassword', 'usage'] as const)(
    '%s rejects for a database that is not there',
    async (method) => {
      server.answer('usersInfo', { ok: 1, users: [] });
      server.answer('listDatabases', { ok: 1, databases: [] });
      const asked = method === 'usage' ? engine.usage(name) : engine.setPassword(credentials);
      await expect(asked).rejects.toThrow(`MongoDB has no database ${name}`);
      expect(server.sent().map((command) => Object.keys(command)[0])).toEqual(['usersInfo', 'listDatabases']);
    },
  );

  test('removes users and data, also where the user is gone already', async () => {
    server.answer('killAllSessions', { ok: 1 }, notFound);
    await engine.remove(name);
    await engine.remove(name);
    const once = [endSessions, { dropAllUsersFromDatabase: 1, $db: name }, { dropDatabase: 1, $db: name }];
    expect(server.sent()).toEqual([...once, ...once]);
  });

  test('adds up what is on disk, counts sessions, and tells the limit of the server', async () => {
    server.answer('usersInfo', { ok: 1, users: [{ user: name }] });
    server.answer('dbStats', { ok: 1, storageSize: 40_960, indexSize: 8192, dataSize: 12 });
    server.answer('serverStatus', { ok: 1, connections: { current: 5, available: 795 } });
    server.answer('aggregate', {
      ok: 1,
      cursor: { id: 0, ns: 'admin.$cmd', firstBatch: [{ connections: 3 }] },
    });
    expect(await engine.usage(name)).toEqual({ size: 49_152, connections: 3, connectionLimit: 800 });
    expect(server.sent().slice(1)).toEqual(
      expect.arrayContaining([
        { dbStats: 1, $db: name },
        { serverStatus: 1, $db: 'admin' },
        {
          aggregate: 1,
          pipeline: [
            { $currentOp: { allUsers: true, idleConnections: true } },
            { $match: { effectiveUsers: { $elemMatch: { user: name, db: name } } } },
            { $count: 'connections' },
          ],
          cursor: {},
          $db: 'admin',
        },
      ]),
    );
  });

  test('counts no session where there is none', async () => {
    server.answer('usersInfo', { ok: 1, users: [{ user: name }] });
    server.answer('aggregate', { ok: 1, cursor: { id: 0, ns: 'admin.$cmd', firstBatch: [] } });
    expect(await engine.usage(name)).toEqual({ size: 0, connections: 0, connectionLimit: 0 });
  });

  test("hands on the server's refusal, and nothing of the command", async () => {
    server.answer('createUser', refusal(13, 'not authorized on db to execute command'));
    const error: unknown = await engine.create(credentials).catch((reason: unknown) => reason);
    expect(error).toEqual(new Error('MongoDB refused: not authorized on db to execute command'));
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(password);
  });

  test('works again after it was stopped', async () => {
    await engine.create(credentials);
    await engine.stop();
    await engine.create(credentials);
    expect(server.sent()).toHaveLength(2);
  });
});

test('a MongoDB that is down or silent is told within 5 s', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  // A listening TCP server has an address of this kind.
  const ports = [(silent.address() as AddressInfo).port, await freePort()];
  const started = performance.now();
  await Promise.all(
    ports.map(async (port) => {
      const engine = engineAt(`mongodb://admin:secret@127.0.0.1:${port}/`);
      const error = await engine.create(newCredentials()).catch((reason: unknown) => reason);
      expect(String(error)).toMatch(/^Error: MongoDB cannot be used: /);
      expect(engine.unavailable()).toBe('The server of MANAGED_MONGODB_URL cannot be used at the moment.');
      expect(String(error)).not.toContain('secret');
      await engine.stop();
    }),
  );
  expect(performance.now() - started).toBeLessThan(5000);
  silent.close();
});

test('a MongoDB that comes later, or goes and comes again, is used', async () => {
  const port = await freePort();
  let server = await startMongodbServer(port);
  const { url } = server;
  await server.close();
  const engine = engineAt(url);
  for (let round = 0; round < 2; round++) {
    await engine.start();
    expect(engine.unavailable()).not.toBeNull();
    server = await startMongodbServer(port);
    await engine.start();
    expect(engine.unavailable()).toBeNull();
    await engine.create(newCredentials());
    await server.close();
  }
  await engine.stop();
});

test.each([
  ['mongodb://a:b@db.example.com/', 'db.example.com/NAME?authSource=NAME'],
  [
    'mongodb://a:b@one:27017,two:27018/admin?replicaSet=rs0&tls=true&authSource=admin&appName=x',
    'one:27017,two:27018/NAME?authSource=NAME&replicaSet=rs0&tls=true',
  ],
  ['mongodb://a:b@[::1]:27017', '[::1]:27017/NAME?authSource=NAME'],
  ['mongodb+srv://a:b@cluster.example.com/?retryWrites=true', 'cluster.example.com/NAME?authSource=NAME'],
])('the address at %s keeps the hosts and nothing of the administrator', (url, rest) => {
  const credentials = newCredentials();
  const address = engineAt(url).connectionString(credentials);
  const scheme = url.slice(0, url.indexOf('://'));
  expect(address).toBe(
    `${scheme}://${credentials.name}:${credentials.password}@${rest.replaceAll('NAME', credentials.name)}`,
  );
  if (scheme === 'mongodb+srv') return;
  const { options } = new MongoClient(address);
  expect(options.dbName).toBe(credentials.name);
  expect(options.credentials).toMatchObject({ username: credentials.name, source: credentials.name });
});

test.each([
  ['', "MANAGED_MONGODB_URL is not set. An admin can set it in the server's environment."],
  ['mongodb://db.example.com/', 'MANAGED_MONGODB_URL needs the name and password of an administrator.'],
])('with %j there is no MongoDB', async (url, reason) => {
  const engine = engineAt(url);
  expect(engine.unavailable()).toBe(reason);
  await expect(engine.create(newCredentials())).rejects.toThrow(reason);
});
