import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ask, PATIENCE } from './database-fixtures.ts';
import { type ManagedPostgres, startManagedPostgres } from './managed-postgres.ts';
import { connectPostgres } from './postgres-session.ts';

const MB = 1024 ** 2;
const LIMIT = 20 * MB;

const chosen = { storageLimit: LIMIT, freeingUntil: null as Date | null };
let server: ManagedPostgres;
let address: string;
let name: string;
let password: string;

beforeAll(async () => {
  server = await startManagedPostgres({}, { chosen });
});
beforeEach(async () => {
  Object.assign(chosen, { storageLimit: LIMIT, freeingUntil: null });
  ({ address, name, password } = await server.make());
  await ask(address, 'create table kept (n int, filler text)');
});
afterAll(() => server.close());

/** Rows of a kilobyte that are not compressed. */
const INSERT = `insert into kept select n, (select string_agg(md5(random()::text), '') || n from generate_series(1, 32))
  from generate_series(1, $1::int) n`;

/** What the server says of statements in a connection of its own: 'done', or the code, and the hint. */
async function said(...statements: string[]): Promise<string> {
  const client = await connectPostgres(address).catch((error) => error);
  if (!(client instanceof pg.Client)) return `${client.code} ${client.message}`;
  try {
    for (const sql of statements) await client.query(sql);
    return 'done';
  } catch (error) {
    return error instanceof pg.DatabaseError ? `${error.code} ${error.hint ?? ''}`.trim() : 'lost';
  } finally {
    await client.end();
  }
}

const fill = (kilobytes: number) => said(INSERT.replace('$1', String(kilobytes)));

test('a full database is read-only, says why, and is written again once there is room', async () => {
  const waiting = await connectPostgres(address);
  let isEnded = false;
  waiting.on('end', () => {
    isEnded = true;
  });
  expect(await fill(12_000)).toBe('done');
  const full =
    '25006 This database is full (20 MB). Make it larger in the console, or delete rows after ' +
    'SET default_transaction_read_only = off.';
  await expect.poll(() => said('insert into kept values (1)'), PATIENCE).toBe(full);
  expect(server.storageStates.at(-1)).toBe('full');
  await expect.poll(() => isEnded, PATIENCE).toBe(true);
  await server.engine.setPassword({ name, password });
  // What somebody wants to be read-only has no hint, and other errors are as they were.
  expect(await said('select count(*) from kept')).toBe('done');
  expect(await said('select 1 / 0')).toBe('22012');
  expect(await said('set default_transaction_read_only = off', 'truncate kept')).toBe('done');
  await expect.poll(() => said('insert into kept values (1)'), PATIENCE).toBe('done');
  expect(server.storageStates.at(-1)).toBe('ok');
  expect(await ask(address, 'select n from kept')).toEqual([[1]]);

  expect(await fill(12_000)).toBe('done');
  await expect.poll(() => said('insert into kept values (1)'), PATIENCE).toBe(full);
  chosen.storageLimit = 2 * LIMIT;
  await server.engine.settingsChanged?.(name);
  expect(await said('insert into kept values (1)')).toBe('done');
});

test('who writes on all the same is closed out, until space is freed', async () => {
  const client = await connectPostgres(address);
  await client.query('set default_transaction_read_only = off');
  const write = async () => {
    for (;;) await client.query(INSERT, [1000]);
  };
  await expect(write()).rejects.toThrow();
  await expect
    .poll(() => fill(1), PATIENCE)
    .toMatch(/^53100 this database is full: it holds [\d.]+ MB of 20 MB; /);
  expect(server.storageStates.at(-1)).toBe('closed');
  // Where there is a pooler.
  const pooled = server.engine.pooled?.({ name, password });
  if (pooled && 'connectionString' in pooled)
    await expect(ask(pooled.connectionString, 'select 1')).rejects.toMatchObject({ code: '53100' });
  const grown = (await server.engine.usage(name)).size;
  expect(grown).toBeLessThan(3 * LIMIT);

  chosen.freeingUntil = new Date(Date.now() + 60_000);
  await server.engine.settingsChanged?.(name);
  expect(await said('delete from kept where n = 7')).toBe('done');
  // What is meant to be deleted from may not grow on: beyond some, it is closed again.
  await expect.poll(() => fill(4000), PATIENCE).toMatch(/^(53100|lost)/);
  chosen.storageLimit = 100 * LIMIT;
  await server.engine.settingsChanged?.(name);
  expect(await said('drop table kept')).toBe('done');
});

test('one that is full is so after a crash, too', async () => {
  expect(await fill(12_000)).toBe('done');
  await expect.poll(() => server.storageStates.at(-1), PATIENCE).toBe('full');
  process.kill((await server.pidOf(name)) ?? 0, 'SIGKILL');
  await expect.poll(() => fill(1), PATIENCE).toMatch(/^25006 This database is full/);
});
