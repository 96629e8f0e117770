import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDb, createPool } from '@nephos/db';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKillableServer, type KillableServer, READY_MS } from '../killable-server.ts';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { LONG } from '../payment-gateway/gateway-fixtures.ts';
import { CARDS, cardInput, chargedTo, makeDue } from './billing-fixtures.ts';

/** What a killed job waits for: the end of its pause, and the worker's next look. */
const RESUMED_MS = 30_000;

let server: KillableServer;
let userId: string;
let id: string;

beforeAll(async () => {
  server = await createKillableServer({ MANAGED_POSTGRES_PORT: '0', DNS_PORT: '0' });
  await server.start();
  const rpc = await server.signUp();
  const { clientSecret, paymentIntentId } = await rpc.billing.startPayment.mutate({ planTier: 'starter' });
  await rpc.billing.confirmSandboxPayment.mutate({ clientSecret, ...cardInput(CARDS.success) });
  ({ id, userId } = await rpc.billing.subscribe.mutate({ planTier: 'starter', paymentIntentId }));
}, READY_MS + 30_000);

afterAll(() => server.close());

/** The server's own PostgreSQL, which has another port after each start. */
function postgres() {
  const [pid = '', , , port] = readFileSync(join(server.dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n');
  const password = encodeURIComponent(readFileSync(join(server.dataDir, 'pg.password'), 'utf8').trim());
  return { pid: Number(pid), url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` };
}

function open() {
  return createDb(createPool({ url: postgres().url, max: 2 }));
}

/** Asks for the renewal as the hourly job does. */
async function queueRenewal(): Promise<void> {
  const boss = new PgBoss({
    ...{ connectionString: postgres().url, schema: 'pgboss', migrate: false },
    ...{ supervise: false, schedule: false },
  });
  await boss.start();
  await boss.send('renewal', { id });
  await boss.stop({ graceful: false });
}

/** Calls `strike` while a charge has been made, and cannot be written down. */
async function strikeBetween(strike: () => Promise<void>): Promise<void> {
  const db = open();
  await makeDue(db, id);
  const held = db.transaction().execute(async (trx) => {
    await sql`lock table payments in access exclusive mode`.execute(trx);
    await queueRenewal();
    const isCharged = async () => {
      const { rows } = await sql`
        select 1 from subscriptions join sandbox_intents on metadata->>'chargeKey' = charging
        where sandbox_intents.status = 'succeeded'`.execute(db);
      return rows.length;
    };
    await expect.poll(isCharged, { timeout: RESUMED_MS, interval: 5 }).toBe(1);
    await strike();
  });
  // Its connection may have gone with the server.
  await held.catch(() => {});
  await db.destroy();
}

async function state() {
  const db = open();
  try {
    const charges = await sql`
      select 1 from sandbox_intents where status = 'succeeded' and metadata->>'userId' = ${userId}`.execute(
      db,
    );
    const open = await sql`select 1 from subscriptions where charging is not null`.execute(db);
    return { ...(await chargedTo(db, userId)), charges: charges.rows.length, open: open.rows.length };
  } catch {
    return 'PostgreSQL is away';
  } finally {
    await db.destroy();
  }
}

type Kill = [what: string, payments: number, strike: () => Promise<void>];
const KILLS: Kill[] = [['the API', 2, killApi]];
// Rarer, and slower: a job that could not even say that it failed has to lose its heartbeat.
if (LONG) KILLS.push(['PostgreSQL', 3, async () => void process.kill(-postgres().pid, 'SIGKILL')]);

async function killApi(): Promise<void> {
  await server.kill();
  expect(await chargesWithoutPayment()).toBe(1);
  await server.start();
}

test.each(KILLS)(
  'kill -9 of %s between a charge and its record: it is recorded, and not made again',
  {
    timeout: READY_MS + 2 * RESUMED_MS,
  },
  async (_what, payments, strike) => {
    await strikeBetween(strike);
    await expect
      .poll(state, { timeout: RESUMED_MS, interval: 100 })
      .toEqual({ payments, booked: payments * 2900, charges: payments, open: 0 });
    const db = open();
    expect(await faultsOfLedger(db)).toEqual([]);
    await db.destroy();
  },
);

/** What the kill left behind, while nobody works on it. */
async function chargesWithoutPayment(): Promise<number> {
  const db = open();
  const { rows } = await sql`
    select 1 from sandbox_intents s
    where s.status = 'succeeded' and not exists (select 1 from payment_intents i where i.id = s.id)`.execute(
    db,
  );
  await db.destroy();
  return rows.length;
}
