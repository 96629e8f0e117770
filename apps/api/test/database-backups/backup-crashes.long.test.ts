import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ManagedDatabase } from '@nephos/contracts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import { addressOf, ask, makeDatabase } from '../databases/database-fixtures.ts';
import { now, startWriter } from '../databases/row-writer.ts';
import { createKillableServer, type KillableServer } from '../killable-server.ts';

const ROUNDS = 8;
const MOMENTS = 8;
const KILLS = 2;
const SOON = { timeout: 60_000, interval: 100 };

let server: KillableServer;

beforeEach(async () => {
  server = await createKillableServer({ MANAGED_POSTGRES_PORT: String(await freePort()) });
});
afterEach(() => server.close());

/** `kill -9` of the server of the one database there is. */
function killPostgres(engineName: string): void {
  const lock = join(server.dataDir, 'databases', engineName, 'data', 'postmaster.pid');
  try {
    process.kill(Number(readFileSync(lock, 'utf8').split('\n', 1)[0]), 'SIGKILL');
  } catch {
    // It is just being started again.
  }
}

test(`${ROUNDS} kills with a writer under way: each moment comes back with all that was acknowledged before, and nothing later`, {
  timeout: 900_000,
}, async () => {
  await server.start();
  const ada = { rpc: await server.signUp() };
  const database = await makeDatabase(ada);
  const { id } = database;
  const address = await addressOf(ada, database);
  const engineName = new URL(address).username;
  await ask(address, 'create table kept (n int)');
  await ada.rpc.databaseBackups.start.mutate({ id });
  const past = () => ada.rpc.databaseBackups.get.query({ id });
  await vi.waitFor(async () => expect((await past()).backups[0]?.status).toBe('done'), SOON);
  const from = now();

  const writer = startWriter(address);
  for (let round = 0; round < ROUNDS; round += 1) {
    await wait(300 + Math.random() * 1200);
    // So that there is something to be kept at the moment of the kill.
    if (round % 2 === 0) await ask(address, 'select 1').catch(() => {});
    if (round % 3 === 0) killPostgres(engineName);
    else if (round % 3 === 1) await server.kill();
    else await server.killAll();
    if (round % 3 !== 0) await server.start();
  }
  await wait(1000);
  await writer.stop();
  const { written } = writer;
  expect(written.length).toBeGreaterThan(ROUNDS);

  async function rowsOf(restored: ManagedDatabase): Promise<Set<number>> {
    await vi.waitFor(async () => {
      expect((await ada.rpc.databases.get.query({ id: restored.id })).status).not.toBe('creating');
    }, SOON);
    expect(await ada.rpc.databases.get.query({ id: restored.id })).toMatchObject({ status: 'available' });
    const rows = await ask(await addressOf(ada, restored), 'select n from kept');
    await ada.rpc.databases.remove.mutate({ id: restored.id });
    return new Set(rows.map(([n]) => Number(n)));
  }

  const latest = await rowsOf(await ada.rpc.databaseBackups.restore.mutate({ id, name: 'latest', at: null }));
  expect(written.filter(({ n }) => !latest.has(n))).toEqual([]);
  const until = written.at(-1)?.acknowledged ?? from;
  for (let n = 0; n < MOMENTS; n += 1) {
    const moment = Math.floor(from + 1 + Math.random() * (until - from));
    const at = new Date(moment).toISOString();
    const rows = await rowsOf(await ada.rpc.databaseBackups.restore.mutate({ id, name: `then-${n}`, at }));
    const lost = written.filter(({ n, acknowledged }) => acknowledged <= moment && !rows.has(n));
    // A moment has milliseconds: what began in this one may be of it.
    const later = written.filter(({ n, began }) => began > moment + 1 && rows.has(n));
    expect({ at, lost, later }).toEqual({ at, lost: [], later: [] });
  }
});

test('what is killed while a database is brought back or changes places is done by the next start, and leaves nothing half', {
  timeout: 900_000,
}, async () => {
  await server.start();
  const ada = { rpc: await server.signUp() };
  const [one, other] = [await makeDatabase(ada, { name: 'one' }), await makeDatabase(ada, { name: 'other' })];
  const addresses = [await addressOf(ada, one), await addressOf(ada, other)] as const;
  const get = (id: string) => ada.rpc.databases.get.query({ id });
  for (const [n, { id }] of [one, other].entries()) {
    await ask(addresses[n] ?? '', `create table kept (n int); insert into kept values (${n})`);
    await ada.rpc.databaseBackups.start.mutate({ id });
    const past = () => ada.rpc.databaseBackups.get.query({ id });
    await vi.waitFor(async () => expect((await past()).backups[0]?.status).toBe('done'), SOON);
  }
  const contents = async () => {
    const rows = addresses.map((address) => ask(address, 'select n from kept'));
    return (await Promise.all(rows)).flat(2);
  };
  for (let round = 0; round < KILLS; round += 1) {
    const { id } = await ada.rpc.databaseBackups.restore.mutate({
      id: one.id,
      name: `one-${round}`,
      at: null,
    });
    await wait((round / KILLS) * 1500);
    await (round % 2 ? server.kill() : server.killAll());
    await server.start();
    await vi.waitFor(async () => expect((await get(id)).status).toBe('available'), SOON);
    const expected = (await contents())[0];
    expect(await ask(await addressOf(ada, { id }), 'select n from kept')).toEqual([[expected]]);
    await ada.rpc.databases.remove.mutate({ id });

    const before = await contents();
    await ada.rpc.databaseBackups.swap.mutate({ id: one.id, withId: other.id });
    await wait((round / KILLS) * 800);
    await (round % 2 ? server.killAll() : server.kill());
    await server.start();
    for (const each of [one, other]) {
      await vi.waitFor(async () => expect((await get(each.id)).work).toBeNull(), SOON);
    }
    expect(await contents()).toEqual(before.toReversed());
  }
  const halves = () => readdirSync(join(server.dataDir, 'databases')).filter((name) => name.startsWith('.'));
  await vi.waitFor(() => expect(halves()).toEqual([]), SOON);
});
