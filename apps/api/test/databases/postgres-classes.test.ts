import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerSettings } from '../../src/domains/databases/database-settings.ts';
import { ask, PATIENCE } from './database-fixtures.ts';
import { type ManagedPostgres, startManagedPostgres } from './managed-postgres.ts';
import { connectPostgres } from './postgres-session.ts';

const chosen: Pick<ServerSettings, 'sizeClass'> = { sizeClass: 'small' };
let server: ManagedPostgres;

beforeAll(async () => {
  server = await startManagedPostgres({}, { chosen });
});
afterAll(() => server.close());

/** Opens sessions until one is refused; their number. */
async function countSessions(address: string): Promise<number> {
  const open: Client[] = [];
  try {
    for (;;) open.push(await connectPostgres(address));
  } catch (error) {
    expect(error).toMatchObject({ code: '53300' });
    return open.length;
  } finally {
    await Promise.all(open.map((client) => client.end()));
  }
}

test('another class is taken up with all that the database holds, while who comes waits', {
  timeout: 120_000,
}, async () => {
  const { name, address } = await server.make();
  await ask(address, 'create table kept as select 7 as n');
  const waiting = await connectPostgres(address);
  let isEnded = false;
  waiting.on('end', () => {
    isEnded = true;
  });
  chosen.sizeClass = 'medium';
  const resized = server.engine.resize?.(name);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => ask(address, 'select n, current_setting($$max_connections$$) from kept')),
  );
  await resized;
  for (const rows of answers) expect(rows).toEqual([[7, '70']]);
  await expect.poll(() => isEnded, PATIENCE).toBe(true);
  const settings = `select current_setting('max_connections'), current_setting('shared_buffers'), n from kept`;
  expect(await ask(address, settings)).toEqual([['70', '256MB', 7]]);
  expect(await server.engine.usage(name)).toMatchObject({ connectionLimit: 50 });
  expect(await countSessions(address)).toBe(50);

  // What it runs with already does not restart it.
  const pid = await server.pidOf(name);
  await server.engine.resize?.(name);
  expect(await server.pidOf(name)).toBe(pid);
});

test('a backup under way is not cut by another class, and what cuts it is told to who reads it', {
  timeout: 120_000,
}, async () => {
  chosen.sizeClass = 'small';
  const { name, address } = await server.make();
  const { past } = server.engine;
  if (!past) throw new Error('There are no servers.');
  const settings = "select current_setting('max_connections')";
  let resized: Promise<void> | undefined;
  const bytes = await past.backup(name, async ({ archive }) => {
    chosen.sizeClass = 'medium';
    resized = server.engine.resize?.(name);
    await wait(1500);
    // Clients come in meanwhile.
    expect(await ask(address, settings)).toEqual([['40']]);
    return (await archive.toArray()).reduce((sum, piece) => sum + piece.length, 0);
  });
  expect(bytes).toBeGreaterThan(5 * 1024 ** 2);
  await resized;
  expect(await ask(address, settings)).toEqual([['70']]);

  const cut = past.backup(name, async ({ archive }) => {
    archive.destroy(new Error('cut'));
    // Nobody reads yet.
    await wait(50);
    await pipeline(archive, new PassThrough().resume());
  });
  await expect(cut).rejects.toThrow('cut');
});

test('a class that cannot be read changes nothing, and is told', async () => {
  const { name, address } = await server.make();
  await ask(address, 'select 1');
  const pid = await server.pidOf(name);
  const { sizeClass } = chosen;
  Object.defineProperty(chosen, 'sizeClass', {
    ...{ configurable: true, enumerable: true },
    get() {
      throw new Error('Our own data is away.');
    },
  });
  try {
    await expect(server.engine.resize?.(name)).rejects.toThrow('Our own data is away.');
  } finally {
    Object.defineProperty(chosen, 'sizeClass', { value: sizeClass, writable: true });
  }
  expect(await server.pidOf(name)).toBe(pid);
});
