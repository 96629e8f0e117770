import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@nephos/db/embedded';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import { readSettings } from '../../src/core/env.ts';
import {
  createOwnedDatabase,
  createRole,
} from '../../src/domains/databases/engines/postgres/postgres-databases.ts';
import { scramVerifier } from '../../src/domains/databases/engines/postgres/scram-verifier.ts';
import { sharedPostgres } from '../../src/domains/databases/engines/postgres/shared-postgres.ts';
import { createKillableServer, type KillableServer } from '../killable-server.ts';
import { addressOf, ask, makeDatabase } from './database-fixtures.ts';
import { startWriter } from './row-writer.ts';

const KILLS = 3;
/** Milliseconds over which the kills are spread: longer than a move takes. */
const SPREAD = 2400;
const SOON = { timeout: 60_000, interval: 50 };

let server: KillableServer;

beforeEach(async () => {
  server = await createKillableServer({ MANAGED_POSTGRES_PORT: String(await freePort()) });
});
afterEach(() => server.close());

/** Makes databases look as those of a console from before each had a server of its own. */
async function shareServer(addresses: readonly string[]): Promise<void> {
  await server.stop();
  const source = sharedPostgres(readSettings({ DATA_DIR: server.dataDir }), pino({ level: 'silent' }));
  const { pool, close } = await source.open();
  for (const { username, password } of addresses.map((address) => new URL(address))) {
    await createRole(pool, username, await scramVerifier(password));
    await createOwnedDatabase(pool, username);
    rmSync(join(server.dataDir, 'databases', username), { recursive: true });
  }
  await close();
  const own = await startEmbeddedPostgres({ dataDir: join(server.dataDir, 'pg') });
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  await client.query("update managed_databases set activity = null, home = null, server_version = ''");
  await client.end();
  await own.stop();
  await server.start();
}

test('a move that is killed anywhere is done by the next start, and loses nothing that was acknowledged', {
  timeout: 600_000,
}, async () => {
  await server.start();
  const ada = { rpc: await server.signUp() };
  const made = [];
  for (let n = 0; n < KILLS; n += 1) {
    const { id } = await makeDatabase(ada, { name: `old-${n}` });
    made.push({ id, address: await addressOf(ada, { id }) });
  }
  await shareServer(made.map(({ address }) => address));
  const get = (id: string) => ada.rpc.databases.get.query({ id });
  for (const [round, { id, address }] of made.entries()) {
    await vi.waitFor(() => ask(address, 'create table if not exists kept (n int)'), SOON);
    const writer = startWriter(address);
    await vi.waitFor(() => expect(writer.written.length).toBeGreaterThan(3), SOON);
    await ada.rpc.databases.move.mutate({ id });
    await wait((round / KILLS) * SPREAD);
    await (round % 2 ? server.killAll() : server.kill());
    await server.start();
    await vi.waitFor(async () => expect((await get(id)).work).toBeNull(), SOON);
    await vi.waitFor(async () => expect((await get(id)).activity).not.toBeNull(), SOON);
    const before = writer.written.length;
    await vi.waitFor(() => expect(writer.written.length).toBeGreaterThan(before + 3), SOON);
    await writer.stop();
    const rows = new Set((await ask(address, 'select n from kept')).flat());
    expect(writer.written.filter(({ n }) => !rows.has(n))).toEqual([]);
    expect(await ask(address, 'select count(*)::int from pg_database')).toEqual([[4]]);
  }
  const halves = () => readdirSync(join(server.dataDir, 'databases')).filter((name) => name.startsWith('.'));
  await vi.waitFor(() => expect(halves()).toEqual([]), SOON);
});
