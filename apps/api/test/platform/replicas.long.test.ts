import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { newIdempotencyKey } from '@nephos/contracts/client';
import { createDb, createPool } from '@nephos/db';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@nephos/db/embedded';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKillableServer, type KillableServer } from '../killable-server.ts';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { elsewhere, GATEWAY, LONG, openAccount, payment } from '../payment-gateway/gateway-fixtures.ts';
import { callerOf, type Person, signUp } from '../world.ts';

const REPLICAS = 3;
/** The long form outlasts the heartbeat of a job, which is then taken by another replica. */
const HANG_MS = LONG ? 25_000 : 3000;
const SENDS = LONG ? 60 : 20;
const SETTLED_MS = 60_000;
/** Milliseconds between two reads, of which there may be 300 a minute. */
const PAUSE = 500;
/** Milliseconds within which any answer comes, whatever another replica does. */
const PROMPT = 5000;

let folder: string;
let postgres: EmbeddedPostgres;
let db: ReturnType<typeof createDb>;
let replicas: KillableServer[];
let ada: Person;

/** Ada at each replica, with the session that the first one gave her. */
function everywhere(): Omit<Person, 'user'>[] {
  return replicas.map(({ url }) => callerOf(url, ada.cookie));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nephos-replicas-'));
  await chmod(folder, 0o711);
  postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'pg') });
  db = createDb(createPool({ url: postgres.url, max: 1 }));
  const settings = {
    DATABASE_URL: postgres.url,
    SECRETS_KEY: randomBytes(32).toString('hex'),
    RATE_LIMITS: 'on',
  };
  replicas = await Promise.all(Array.from({ length: REPLICAS }, () => createKillableServer(settings)));
  await Promise.all(replicas.map((replica) => replica.start()));
  ada = await signUp(replicas[0]?.url ?? '', 'Ada');
});

afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  await db.destroy();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

test('replicas that start at once on an empty database migrate it once', async () => {
  const { rows } = await sql<{ all: number; different: number }>`
    select count(*)::int as "all", count(distinct name)::int as different from kysely_migration`.execute(db);
  expect(rows[0]?.all).toBeGreaterThan(0);
  expect(rows[0]?.all).toBe(rows[0]?.different);
  for (const { url } of replicas) expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test('a session is one at all of them: made here, used there, ended anywhere', async () => {
  const bob = await signUp(replicas[1]?.url ?? '', 'Bob');
  const bobs = replicas.map(({ url }) => callerOf(url, bob.cookie));
  for (const { rpc } of bobs) expect((await rpc.auth.user.query()).id).toBe(bob.user.id);
  await fetch(`${replicas[2]?.url}/api/logout`, { headers: { cookie: bob.cookie }, redirect: 'manual' });
  for (const { rest } of bobs) expect((await rest('GET /api/auth/user')).status).toBe(401);
});

test('a limit counts the calls of all of them', async () => {
  const callers = everywhere();
  const statuses: number[] = [];
  for (let call = 0; call < 7; call += 1) {
    const body = { currentPassword: 'not this one', newPassword: 'another long password' };
    const answer = await callers[call % REPLICAS]?.rest('POST /api/auth/password', { body });
    statuses.push(answer?.status ?? 0);
  }
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429]);
});

test('a key has one effect, whichever of them it is sent to', async () => {
  const before = (await ada.rpc.paymentGateway.virtualAccounts.query()).length;
  const headers = { 'idempotency-key': newIdempotencyKey() };
  const open = () =>
    everywhere().map(({ rest }) =>
      rest(`POST ${GATEWAY}/virtual-accounts`, { headers, body: { accountName: 'Once' } }),
    );
  const first = await Promise.all(open());
  const again = await Promise.all(open());
  const made = [...first, ...again].filter(({ status }) => status === 201);
  expect(again.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  expect([...first, ...again].filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  expect(await ada.rpc.paymentGateway.virtualAccounts.query()).toHaveLength(before + 1);
});

test('one that hangs holds nobody up, and what it had begun happens once', {
  timeout: HANG_MS + SETTLED_MS + 30_000,
}, async () => {
  const [hanging, ...others] = everywhere();
  if (!hanging) throw new Error('There is no replica.');
  const account = await openAccount(ada, { balance: 1_000_000 });
  const sends = Array.from({ length: SENDS }, (_, n) =>
    everywhere()[n % REPLICAS]?.rpc.paymentGateway.send.mutate(payment(account, elsewhere(), 1 + n)),
  );
  await Promise.all(sends);

  replicas[0]?.pause();
  const input = payment(account, elsewhere(), 5000);
  const context = { idempotencyKey: newIdempotencyKey() };
  // Its caller may be told nothing: a request that came in so long ago is cut off.
  const stuck = hanging.rpc.paymentGateway.send.mutate(input, { context }).catch(() => undefined);
  const until = performance.now() + HANG_MS;
  let slowest = 0;
  while (performance.now() < until) {
    const began = performance.now();
    for (const { rpc } of others) await rpc.paymentGateway.transactions.query();
    slowest = Math.max(slowest, performance.now() - began);
    await wait(PAUSE);
  }
  const repeated = await others[0]?.rpc.paymentGateway.send.mutate(input, { context });
  replicas[0]?.resume();
  expect([repeated?.id, undefined]).toContain((await stuck)?.id);
  expect(slowest).toBeLessThan(PROMPT);

  const underWay = async () =>
    (await ada.rpc.paymentGateway.transactions.query()).filter(({ settledAt }) => settledAt === null).length;
  await expect.poll(underWay, { timeout: SETTLED_MS, interval: PAUSE }).toBe(0);
  const sent = (await ada.rpc.paymentGateway.transactions.query()).filter(({ type }) => type === 'send');
  expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: SENDS + 1 }, () => 'completed'));
  expect(await faultsOfLedger(db)).toEqual([]);
});
