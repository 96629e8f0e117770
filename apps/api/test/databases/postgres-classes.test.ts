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
  timeout: 40_000,
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
