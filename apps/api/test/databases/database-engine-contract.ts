import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCredentials, newPassword } from '../../src/domains/databases/credentials.ts';
import type { Credentials, DatabaseEngine } from '../../src/domains/databases/engines/engine.ts';

/** One open connection of the type's own client. Every method rejects once the server has ended the connection. */
export interface DatabaseSession {
  /** Adds one row to `table`, which is made when it is absent. */
  add(table: string): Promise<void>;
  /** Rows of `table`; rejects where there is none, or it may not be read. */
  count(table: string): Promise<number>;
  close(): Promise<void>;
}

/** A running engine without databases, or with some that are not ours. */
export interface EngineUnderTest {
  engine: DatabaseEngine;
  /** Opens a session as the address says; rejects when the server refuses it. */
  connect(connectionString: string): Promise<DatabaseSession>;
  /** All that the engine, and the server where it is ours, have logged. */
  logged(): string | Promise<string>;
  close(): Promise<void>;
}

/** The same address with other parts. */
export function altered(
  connectionString: string,
  parts: Partial<Credentials & { database: string }>,
): string {
  const url = new URL(connectionString);
  if (parts.name) url.username = parts.name;
  if (parts.password) url.password = parts.password;
  if (parts.database) url.pathname = `/${parts.database}`;
  return url.href;
}

/** What every engine has to do. */
export function databaseEngineContract(name: string, create: () => Promise<EngineUnderTest>): void {
  describe(`${name} keeps databases`, () => {
    let under: EngineUnderTest;
    let engine: DatabaseEngine;
    const made: Credentials[] = [];

    beforeAll(async () => {
      under = await create();
      engine = under.engine;
    });
    afterAll(async () => {
      try {
        await Promise.all(made.map((credentials) => engine.remove(credentials.name)));
      } finally {
        await under.close();
      }
    });

    async function make(): Promise<Credentials> {
      const credentials = newCredentials();
      made.push(credentials);
      await engine.create(credentials);
      return credentials;
    }

    const connect = (credentials: Credentials) => under.connect(engine.connectionString(credentials));

    /** Opens a session only to see that it can be. */
    async function admits(connectionString: string): Promise<void> {
      const session = await under.connect(connectionString);
      await session.close();
    }

    test('and can make them', () => expect(engine.unavailable()).toBeNull());

    test('of which each is its own', async () => {
      const one = await connect(await make());
      const two = await connect(await make());
      await one.add('notes');
      await one.add('notes');
      await two.add('notes');
      expect([await one.count('notes'), await two.count('notes')]).toEqual([2, 1]);
      await Promise.all([one.close(), two.close()]);
    });

    test('and makes several at once', async () => {
      const all = await Promise.all(Array.from({ length: 4 }, make));
      await Promise.all(all.map((credentials) => admits(engine.connectionString(credentials))));
    });

    test('and completes what is there already', async () => {
      const credentials = await make();
      const session = await connect(credentials);
      await session.add('notes');
      await engine.create(credentials);
      expect(await session.count('notes')).toBe(1);
      await session.close();
      await admits(engine.connectionString(credentials));
    });

    test('makes one once, however many ask at once', async () => {
      const credentials = newCredentials();
      made.push(credentials);
      await Promise.allSettled(Array.from({ length: 3 }, () => engine.create(credentials)));
      await engine.create(credentials);
      await admits(engine.connectionString(credentials));
    });

    test('shows the name and the password in the address', async () => {
      const credentials = newCredentials();
      const url = new URL(engine.connectionString(credentials));
      expect([url.username, url.password, url.pathname]).toEqual([
        credentials.name,
        credentials.password,
        // Redis numbers the databases of a server.
        engine.type === 'redis' ? '/0' : `/${credentials.name}`,
      ]);
    });

    test('refuses a wrong, an empty and a foreign password', async () => {
      const [one, two] = [await make(), await make()];
      const address = engine.connectionString(one);
      await expect(admits(altered(address, { password: newPassword() }))).rejects.toThrow();
      await expect(admits(altered(address, { password: two.password }))).rejects.toThrow();
      const empty = new URL(address);
      empty.password = '';
      await expect(admits(empty.href)).rejects.toThrow();
    });

    test("keeps one's role out of another's database", async () => {
      const [one, two] = [await make(), await make()];
      const theirs = await connect(two);
      await theirs.add('notes');
      const crossing = altered(engine.connectionString(one), { database: two.name });
      // Some clients are let in and refused at the first question.
      const peek = async () => (await under.connect(crossing)).count('notes');
      await expect(peek()).rejects.toThrow();
      const intrude = async () => (await under.connect(crossing)).add('intruder');
      await expect(intrude()).rejects.toThrow();
      await theirs.close();
    });

    test('takes a new password at once, and ends the sessions of the old', async () => {
      const credentials = await make();
      const session = await connect(credentials);
      await session.add('notes');
      const renewed = { ...credentials, password: newPassword() };
      expect([await engine.accepts(credentials), await engine.accepts(renewed)]).toEqual([true, false]);
      await engine.setPassword(renewed);
      await expect(admits(engine.connectionString(credentials))).rejects.toThrow();
      expect([await engine.accepts(credentials), await engine.accepts(renewed)]).toEqual([false, true]);
      await expect(session.count('notes')).rejects.toThrow();
      const after = await connect(renewed);
      expect(await after.count('notes')).toBe(1);
      await after.close();
      await engine.setPassword(renewed);
      await admits(engine.connectionString(renewed));
    });

    test('sets no password of a database that is not there', async () => {
      await expect(engine.setPassword(newCredentials())).rejects.toThrow();
    });

    test('says how large one is and how many are connected', async () => {
      const credentials = await make();
      const session = await connect(credentials);
      await session.add('notes');
      const usage = await engine.usage(credentials.name);
      expect(usage.size).toBeGreaterThan(0);
      expect(usage.connections).toBeGreaterThan(0);
      expect(usage.connectionLimit).toBeGreaterThanOrEqual(usage.connections);
      expect([usage.size, usage.connections, usage.connectionLimit].every(Number.isInteger)).toBe(true);
      await session.close();
      await expect(engine.usage(newCredentials().name)).rejects.toThrow();
    });

    test('removes one with all it holds, its sessions ended, as often as asked', async () => {
      const credentials = await make();
      const session = await connect(credentials);
      await session.add('notes');
      await engine.remove(credentials.name);
      await expect(session.count('notes')).rejects.toThrow();
      await expect(admits(engine.connectionString(credentials))).rejects.toThrow();
      await engine.remove(credentials.name);
      await engine.remove(newCredentials().name);
      await engine.create(credentials);
      const again = await connect(credentials);
      await expect(again.count('notes')).rejects.toThrow();
      await again.close();
    });

    test('tells no log its passwords', async () => {
      const credentials = await make();
      const renewed = { ...credentials, password: newPassword() };
      await engine.setPassword(renewed);
      await expect(admits(engine.connectionString(credentials))).rejects.toThrow();
      const logged = await under.logged();
      for (const { password } of [...made, renewed]) expect(logged).not.toContain(password);
    });
  });
}
