import { appendFile, chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newCredentials } from '../../src/domains/databases/credentials.ts';
import { ask, PATIENCE } from './database-fixtures.ts';
import { type ManagedPostgres, startManagedPostgres } from './managed-postgres.ts';

const AT_ONCE = 0.001;

let server: ManagedPostgres;

beforeEach(async () => {
  server = await startManagedPostgres({}, { sleepAfter: AT_ONCE, patience: 300 });
});
afterEach(() => server.close());

const asleep = (name: string) => expect.poll(() => server.pidOf(name), PATIENCE).toBeUndefined();

/** A database that holds 7, whose server recovers until `finish` was called. */
async function makeRecovering(): Promise<{ name: string; address: string; finish(): Promise<void> }> {
  const made = newCredentials();
  // On a busy machine, its first start may take longer than this server waits for it.
  await vi.waitFor(() => server.engine.create(made), PATIENCE);
  const address = server.engine.connectionString(made);
  await vi.waitFor(() => ask(address, 'create table if not exists kept as select 7 as n'), PATIENCE);
  await asleep(made.name);
  const data = join(server.dataDir, made.name, 'data');
  const go = join(server.dataDir, `go-${made.name}`);
  const command = `while test ! -e ${go}; do sleep 0.02; done; false`;
  await appendFile(join(data, 'postgresql.auto.conf'), `restore_command = '${command}'\n`);
  await writeFile(join(data, 'recovery.signal'), '');
  const { uid, gid } = await stat(data);
  await chown(join(data, 'recovery.signal'), uid, gid);
  return { name: made.name, address, finish: () => writeFile(go, '') };
}

test('a long recovery goes on while who comes is told of it', async () => {
  const { name, address, finish } = await makeRecovering();
  const refused = { code: '57P03', message: 'the database system is starting up' };
  await expect(ask(address, 'select 1')).rejects.toMatchObject(refused);
  const pid = await server.pidOf(name);
  expect(pid).toBeDefined();
  await expect(ask(address, 'select 1')).rejects.toMatchObject(refused);
  expect(await server.pidOf(name)).toBe(pid);
  await finish();
  await expect.poll(() => ask(address, 'select n from kept').catch(String), PATIENCE).toEqual([[7]]);
  expect(server.engine.lastStart?.(name)).toBe('worked');
});

test('a removal and the stop of the console end a recovery', async () => {
  const [gone, kept] = [await makeRecovering(), await makeRecovering()];
  for (const { address } of [gone, kept]) {
    await expect(ask(address, 'select 1')).rejects.toMatchObject({ code: '57P03' });
  }
  await server.engine.remove(gone.name);
  await expect(ask(gone.address, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  const pid = (await server.pidOf(kept.name)) ?? 0;
  await server.engine.stop();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
