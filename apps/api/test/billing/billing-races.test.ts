import { PLANS, type PlanTier } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { unavailable } from '../../src/core/errors.ts';
import { renew } from '../../src/domains/billing/renewal.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { callerOf, createWorld, type Person, type World } from '../world.ts';
import { chargedTo, makeDue, pay, record, subscribe } from './billing-fixtures.ts';

const ROUNDS = 4;

/** Two replicas over one database. */
let worlds: [World, World];
let db: World['deps']['db'];

beforeAll(async () => {
  const overrides = { engine: new ScriptedEngine() };
  const first = await createWorld({ overrides, running: true });
  worlds = [first, await createWorld({ overrides, databaseUrl: first.databaseUrl })];
  db = first.deps.db;
  await first.as('Admin');
});

afterEach(() => void vi.restoreAllMocks());

afterAll(async () => {
  expect(await faultsOfLedger(db)).toEqual([]);
  await worlds[1].close();
  await worlds[0].close();
});

const cardOf = async ({ rpc }: Person) => (await rpc.billing.summary.query()).paymentMethod;
const liveOf = ({ rpc }: Person) => rpc.billing.activeSubscription.query();

/** Charges that the provider made, by its own books. */
async function chargesOf(userId: string): Promise<{ payments: number; booked: number }> {
  const { rows } = await sql<{ payments: number; booked: number }>`
    select count(*)::int as payments, coalesce(sum(amount), 0)::int as booked from sandbox_intents
    where status = 'succeeded' and metadata->>'userId' = ${userId}`.execute(db);
  return rows[0] ?? { payments: 0, booked: 0 };
}

/** Everything that changes a subscription, all at once and on both replicas. */
async function storm(person: Person, round: number): Promise<number[]> {
  const elsewhere = callerOf(worlds[1].url, person.cookie);
  const { provider } = worlds[0].deps.domains.billing;
  const plans: PlanTier[] = ['starter', 'professional', 'enterprise'];
  const payments = await Promise.all(plans.map((planTier) => pay(person, planTier).catch(() => undefined)));
  const live = await liveOf(person);
  if (live && round % 2) await makeDue(db, live.id);
  const answers = await Promise.all([
    ...payments.flatMap((payment, n) => {
      const body = { planTier: plans[n], paymentIntentId: payment?.paymentIntentId };
      return payment ? [record(person, body), record(elsewhere, body)] : [];
    }),
    ...[
      'POST /api/subscriptions/cancel',
      'POST /api/subscriptions/resume',
      'DELETE /api/billing/card',
    ].flatMap((route) => [person.rest(route), elsewhere.rest(route)]),
    ...(live ? [1, 2, 3] : []).map(async () => {
      await renew({ db, provider }, live?.id ?? '');
      return { status: 200 };
    }),
  ]);
  return answers.map(({ status }) => status);
}

test('payments, renewals, cancelling and removing the card at once: each charge is recorded once, and one plan is live', async () => {
  const person = await worlds[0].as('Storm');
  await subscribe(person, 'starter');
  for (let round = 0; round < ROUNDS; round += 1) {
    const statuses = await storm(person, round);
    // 503 while a renewal is under way, and no other fault of ours.
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    const { rows: live } = await sql<{ id: string }>`
      select id from subscriptions where user_id = ${person.user.id} and status <> 'cancelled'`.execute(db);
    expect(live.length).toBeLessThanOrEqual(1);
    const renewing = (await liveOf(person))?.cancelAtPeriodEnd === false;
    if (renewing) expect(await cardOf(person)).not.toBeNull();
  }
  await sql`update payment_intents set created_at = created_at - interval '1 hour'`.execute(db);
  await Promise.all(worlds.map(({ deps }) => deps.domains.billing.renewals.claim()));
  const charges = await chargesOf(person.user.id);
  expect(charges.payments).toBeGreaterThan(ROUNDS);
  expect(await chargedTo(db, person.user.id)).toEqual(charges);
});

describe('removing the card', () => {
  async function cancelled(name: string): Promise<Person> {
    const person = await worlds[0].as(name);
    await subscribe(person);
    await person.rpc.billing.cancel.mutate();
    return person;
  }

  test('while the subscription is resumed leaves none that renews without a card', async () => {
    const { provider } = worlds[0].deps.domains.billing;
    const { forgetCard } = provider;
    const ruth = await cancelled('Ruth');
    vi.spyOn(provider, 'forgetCard').mockImplementationOnce(async (id) => {
      expect(await ruth.rest('POST /api/subscriptions/resume')).toMatchObject({
        status: 409,
        body: { code: 'NO_CARD' },
      });
      await forgetCard(id);
    });
    expect((await ruth.rest('DELETE /api/billing/card')).status).toBe(200);
    expect(await liveOf(ruth)).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await cardOf(ruth)).toBeNull();
  });

  test('that the provider did not hear of is not done, and can be done again', async () => {
    const { provider } = worlds[0].deps.domains.billing;
    const sven = await cancelled('Sven');
    const card = await cardOf(sven);
    vi.spyOn(provider, 'forgetCard').mockRejectedValueOnce(unavailable());
    expect((await sven.rest('DELETE /api/billing/card')).status).toBe(503);
    expect(card).not.toBeNull();
    expect(await cardOf(sven)).toEqual(card);
    expect((await sven.rest('DELETE /api/billing/card')).status).toBe(200);
    expect(await cardOf(sven)).toBeNull();
  });
});

describe('a smaller plan', () => {
  const create = (person: Person, name: string) => person.rest('POST /api/projects', { body: { name } });
  const full = {
    status: 403,
    body: {
      code: 'PLAN_LIMIT_REACHED',
      message: 'Your plan includes 5 projects. Delete one or upgrade your plan.',
    },
  };

  test('takes nothing away; there is room again once there is less than it holds', async () => {
    const tess = await worlds[0].as('Tess');
    await subscribe(tess, 'enterprise');
    for (let n = 1; n <= 7; n += 1) expect((await create(tess, `Project ${n}`)).status).toBe(201);
    await subscribe(tess, 'starter');
    const projects = await tess.rpc.projects.list.query();
    expect(projects).toHaveLength(7);
    expect(await create(tess, 'Eighth')).toMatchObject(full);
    const [{ id } = { id: '' }] = projects;
    expect((await tess.rpc.projects.update.mutate({ id, description: 'Still mine' })).description).toBe(
      'Still mine',
    );
    for (const gone of projects.slice(0, 3)) await tess.rpc.projects.remove.mutate({ id: gone.id });
    expect((await create(tess, 'Fifth')).status).toBe(201);
    expect(await create(tess, 'Sixth')).toMatchObject(full);
  });

  test('is the smallest after a trial without a plan, and not passed by calls at once', async () => {
    const uma = await worlds[0].as('Uma');
    await sql`update users set trial_end_date = now() - interval '1 day' where id = ${uma.user.id}`.execute(
      db,
    );
    const elsewhere = callerOf(worlds[1].url, uma.cookie);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        (n % 2 ? uma : elsewhere).rest('POST /api/projects', { body: { name: `Project ${n}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(PLANS.starter.deployments ?? 0);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(7);
  });
});
