import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from '../../src/core/env.ts';
import { newCredentials, newPassword } from '../../src/domains/databases/credentials.ts';
import type { Credentials } from '../../src/domains/databases/engines/engine.ts';
import {
  createOwnedDatabase,
  createRole,
} from '../../src/domains/databases/engines/postgres/postgres-databases.ts';
import { scramVerifier } from '../../src/domains/databases/engines/postgres/scram-verifier.ts';
import { sharedPostgres } from '../../src/domains/databases/engines/postgres/shared-postgres.ts';
import { altered } from './database-engine-contract.ts';
import { ask, PATIENCE } from './database-fixtures.ts';
import { type ManagedPostgres, startManagedPostgres } from './managed-postgres.ts';

let home: string;
let server: ManagedPostgres;
let older: Credentials[];

/** A data folder as one left it that had one server for all databases. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'nephos-shared-'));
  await chmod(home, 0o711);
  const source = sharedPostgres(readSettings({ DATA_DIR: home }), pino({ level: 'silent' }));
  const { pool, close } = await source.open();
  older = [newCredentials(), newCredentials()];
  for (const { name, password } of older) {
    await createRole(pool, name, await scramVerifier(password));
    await createOwnedDatabase(pool, name);
  }
  await close();
  server = await startManagedPostgres({}, { home });
});
afterAll(async () => {
  await server?.close();
  await rm(home, { recursive: true, force: true });
});

test('databases of one server for all go on there, through the same port as those with their own', async () => {
  const [old = newCredentials(), gone = newCredentials()] = older;
  const { engine } = server;
  const address = engine.connectionString(old);
  await expect.poll(() => ask(address, 'select 1').catch(String), PATIENCE).toEqual([[1]]);
  const fresh = await server.make();
  expect(new URL(fresh.address).port).toBe(new URL(address).port);
  expect(await ask(fresh.address, 'select count(*)::int from pg_database')).toEqual([[4]]);
  expect(await ask(address, 'select count(*)::int from pg_database')).toEqual([[5]]);
  expect(await server.pidOf(old.name)).toBeUndefined();

  const renewed = { ...old, password: newPassword() };
  await engine.setPassword(renewed);
  await expect(ask(address, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  expect([await engine.accepts(old), await engine.accepts(renewed)]).toEqual([false, true]);
  expect((await engine.usage(old.name)).size).toBeGreaterThan(0);
  expect(engine.lastStart?.(old.name)).toBeUndefined();
  expect(engine.lastStart?.(new URL(fresh.address).username)).toBe('worked');

  const administrator = altered(address, { name: 'postgres', database: old.name });
  await expect(ask(administrator, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  // A role to which another granted something goes all the same, and takes it along.
  const owner = engine.connectionString(renewed);
  await ask(owner, `grant connect on database ${old.name} to ${gone.name}`);
  await ask(owner, 'create table gift (n int)');
  await ask(owner, `grant select on gift to ${gone.name}`);
  await engine.remove(gone.name);
  expect(await ask(owner, `select from pg_roles where rolname = '${gone.name}'`)).toEqual([]);
  expect(await ask(owner, 'select count(*)::int from gift')).toEqual([[0]]);
  await expect(ask(engine.connectionString(gone), 'select 1')).rejects.toMatchObject({ code: '28P01' });
  expect(await ask(engine.connectionString(renewed), 'select 1')).toEqual([[1]]);
});
