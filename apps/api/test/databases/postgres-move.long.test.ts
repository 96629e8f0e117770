import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from '../../src/core/env.ts';
import { newCredentials } from '../../src/domains/databases/credentials.ts';
import type { MoveSteps } from '../../src/domains/databases/engines/engine.ts';
import { closeDatabase } from '../../src/domains/databases/engines/postgres/closed-databases.ts';
import {
  createOwnedDatabase,
  createRole,
} from '../../src/domains/databases/engines/postgres/postgres-databases.ts';
import { scramVerifier } from '../../src/domains/databases/engines/postgres/scram-verifier.ts';
import { sharedPostgres } from '../../src/domains/databases/engines/postgres/shared-postgres.ts';
import { ask, PATIENCE } from './database-fixtures.ts';
import { type ManagedPostgres, startManagedPostgres } from './managed-postgres.ts';
import { connectPostgres } from './postgres-session.ts';

const run = promisify(execFile);
const [old, other] = [newCredentials(), newCredentials()];
const MARK = 'only-of-the-other-one';

let home: string;
let server: ManagedPostgres;

/** As a console left it that was killed while it moved one of two databases. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'nephos-move-'));
  await chmod(home, 0o711);
  const source = sharedPostgres(readSettings({ DATA_DIR: home }), pino({ level: 'silent' }));
  const { pool, close } = await source.open();
  for (const { name, password } of [old, other]) {
    await createRole(pool, name, await scramVerifier(password));
    await createOwnedDatabase(pool, name);
  }
  await closeDatabase(pool, old.name);
  await close();
  await mkdir(join(home, 'databases', '.new-0123456789ab', 'data'), { recursive: true });
  server = await startManagedPostgres({}, { home });
});
afterAll(async () => {
  await server?.close();
  await rm(home, { recursive: true, force: true });
});

const addressOf = (credentials: typeof old) => server.engine.connectionString(credentials);
const halves = async () => (await readdir(server.dataDir)).filter((name) => name.startsWith('.'));

function move(steps: Partial<MoveSteps> = {}) {
  const { engine } = server;
  const all = { progress() {}, signal: new AbortController().signal, ...steps };
  return engine.move?.(old.name, all) ?? Promise.reject(new Error('It moves nothing.'));
}

test('what a kill left closed is open again, and a move that fails or is ended leaves it so', async () => {
  await expect
    .poll(() => ask(addressOf(old), 'create table kept as select 7 as n').catch(String), PATIENCE)
    .toEqual([]);
  await expect.poll(halves, PATIENCE).toEqual([]);

  await mkdir(join(server.dataDir, old.name));
  await expect(move()).rejects.toThrow('There is a cluster');
  await rm(join(server.dataDir, old.name), { recursive: true });
  expect(await ask(addressOf(old), 'insert into kept values (8) returning n')).toEqual([[8]]);

  const ending = new AbortController();
  const progress = () => ending.abort(new Error('enough'));
  await expect(move({ progress, signal: ending.signal })).rejects.toThrow('enough');
  expect(await ask(addressOf(old), 'insert into kept values (9) returning n')).toEqual([[9]]);
  expect(await halves()).toEqual([]);
  expect(await server.pidOf(old.name)).toBeUndefined();
});

test('a database gets a server of its own, with nothing in it of the others', async () => {
  await ask(addressOf(other), `create table theirs as select '${MARK}' as mark`);
  await ask(addressOf(old), `grant connect on database ${old.name} to ${other.name}`);
  await ask(addressOf(old), `grant select on kept to ${other.name}`);
  const [session, beside] = [await connectPostgres(addressOf(old)), await connectPostgres(addressOf(other))];
  session.on('error', () => {});
  const ended = new Promise((resolve) => session.once('end', resolve));
  let meanwhile: Promise<unknown> | undefined;
  let inSession: Promise<unknown> | undefined;
  const progress = () => {
    inSession ??= session.query('insert into kept values (12)').catch((error) => error);
    meanwhile ??= ask(addressOf(old), 'insert into kept values (10)').catch((error) => error);
  };

  expect(await move({ progress })).toBe(true);

  await ended;
  expect(await inSession).toBeInstanceOf(Error);
  expect(await meanwhile).toMatchObject({ code: '57P03', message: expect.stringContaining('being moved') });
  expect(await ask(addressOf(old), 'select n from kept order by n')).toEqual([[7], [8], [9]]);
  expect(await server.pidOf(old.name)).toBeDefined();
  expect(await ask(addressOf(old), 'insert into kept values (11) returning n')).toEqual([[11]]);
  expect(await ask(addressOf(old), 'select count(*)::int from pg_database')).toEqual([[4]]);
  const roles = "select rolname::text from pg_roles where rolname !~ '^pg_' order by rolname";
  expect(await ask(addressOf(old), roles)).toEqual([[old.name], ['postgres']]);
  const files = await run('grep', [
    '-rla',
    '-e',
    MARK,
    '-e',
    other.name,
    join(server.dataDir, old.name, 'data'),
  ]).catch((error) => error);
  expect(files).toMatchObject({ code: 1, stdout: '' });

  expect((await beside.query('select mark from theirs')).rows).toEqual([{ mark: MARK }]);
  await beside.end();
  expect(await ask(addressOf(other), `select from pg_database where datname = '${old.name}'`)).toEqual([]);
  expect(await ask(addressOf(other), `select from pg_roles where rolname = '${old.name}'`)).toEqual([]);
  // As after a kill right before the end.
  expect(await move()).toBe(true);
  expect(await ask(addressOf(old), 'select count(*)::int from kept')).toEqual([[4]]);
});
