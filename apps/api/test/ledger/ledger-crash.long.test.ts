import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createDb, createPool, migrate } from '@nephos/db';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@nephos/db/embedded';
import { expect, test } from 'vitest';
import { createKillableServer } from '../killable-server.ts';
import { LONG, quickRail } from '../payment-gateway/gateway-fixtures.ts';
import { createWorld } from '../world.ts';
import { faultsOfLedger } from './ledger-faults.ts';
import { sendsByKey, startTransfers } from './transfers.ts';

const CLIENTS = LONG ? 20 : 8;
const API_KILLS = LONG ? 20 : 1;
const POSTGRES_KILLS = LONG ? 10 : 1;
/** Eight sends leave for other banks at a time, a second each. */
const SETTLED_MS = LONG ? 20 * 60_000 : 45_000;

/** Lets the clients work for 0.8 to 1.5 seconds. */
async function someWork(acknowledged: ReadonlyMap<string, string>): Promise<void> {
  const before = acknowledged.size;
  await wait(800 + Math.random() * 700);
  await expect.poll(() => acknowledged.size, { timeout: 60_000, interval: 20 }).toBeGreaterThan(before + 10);
}

function openDatabase(url: string) {
  return createDb(createPool({ url, max: 1 }));
}

test(`kill -9 of the API (${API_KILLS}) in the midst of sends: none is lost, none is made twice`, {
  timeout: 60_000 + API_KILLS * 20_000 + SETTLED_MS,
}, async () => {
  const server = await createKillableServer({ MANAGED_POSTGRES_PORT: '0', DNS_PORT: '0' });
  try {
    await server.start();
    const rpc = await server.signUp();
    const transfers = await startTransfers({ rpc }, { clients: CLIENTS, outsideOneIn: 10 });
    for (let kill = 0; kill < API_KILLS; kill += 1) {
      await someWork(transfers.acknowledged);
      await server.kill();
      await server.start();
    }
    await someWork(transfers.acknowledged);
    await transfers.stop();
    const underWay = async () =>
      (await rpc.paymentGateway.transactions.query()).filter(({ settledAt }) => settledAt === null).length;
    await expect.poll(underWay, { timeout: SETTLED_MS, interval: 500 }).toBe(0);
    await server.kill();

    const postgres = await startEmbeddedPostgres({ dataDir: join(server.dataDir, 'pg') });
    const db = openDatabase(postgres.url);
    expect(await sendsByKey(db)).toEqual(transfers.acknowledged);
    expect(await faultsOfLedger(db)).toEqual([]);
    await db.destroy();
    await postgres.stop();
  } finally {
    await server.close();
  }
});

test(`kill -9 of PostgreSQL (${POSTGRES_KILLS}): 503 meanwhile, and neither a send lost nor one twice`, {
  timeout: 60_000 + POSTGRES_KILLS * 20_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-ledger-'));
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'pg');
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir });
  const db = openDatabase(postgres.url);
  await migrate(db);
  const world = await createWorld({ databaseUrl: postgres.url, overrides: { rail: quickRail() } });
  try {
    const transfers = await startTransfers(await world.as('Ada'), { clients: CLIENTS });
    for (let kill = 0; kill < POSTGRES_KILLS; kill += 1) {
      await someWork(transfers.acknowledged);
      process.kill(-postgres.pid, 'SIGKILL');
      await postgres.exited;
      await expect.poll(() => transfers.unknown, { timeout: 60_000, interval: 20 }).toContain(503);
      postgres = await startEmbeddedPostgres({ dataDir, port: postgres.port });
    }
    await someWork(transfers.acknowledged);
    await transfers.stop();
    expect([...transfers.unknown]).toEqual([503]);
    expect(transfers.slowest()).toBeLessThan(LONG ? 5000 : 10_000);
    expect(await sendsByKey(db)).toEqual(transfers.acknowledged);
    expect(await faultsOfLedger(db)).toEqual([]);
  } finally {
    await db.destroy();
    await world.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
