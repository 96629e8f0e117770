import { PLAN_TIERS, PLANS } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { CARDS, chargedTo, confirm, pay, record, start, subscribe } from './billing-fixtures.ts';

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterAll(async () => {
  expect(await faultsOfLedger(world.deps.db)).toEqual([]);
  await world.close();
});

const UNKNOWN = 'pi_000000000000000000000000';
const SECRET = `${UNKNOWN}_secret_000000000000000000000000`;
describe('subscribing', () => {
  test('goes from the plan to the receipt, through REST', async () => {
    const cleo = await world.as('Cleo');
    expect((await cleo.rest('GET /api/subscriptions/active')).text).toBe('null');
    const started = await start(cleo, ' Professional ');
    expect(started).toMatchObject({
      status: 200,
      body: { clientSecret: expect.any(String), paymentIntentId: expect.stringMatching(/^pi_\w{8,64}$/) },
    });
    const { clientSecret, paymentIntentId } = started.body as {
      clientSecret: string;
      paymentIntentId: string;
    };
    expect(await confirm(cleo, { clientSecret, cardNumber: '4242 4242-4242 4242' })).toMatchObject({
      status: 200,
      body: { status: 'succeeded', paymentIntentId, message: '' },
    });
    const made = await record(cleo, { planTier: 'PROFESSIONAL', paymentIntentId });
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...{ userId: cleo.user.id, planTier: 'professional', status: 'active', amount: 9900 },
        ...{ cancelAtPeriodEnd: false, failure: '', nextAttempt: null },
      },
    });
    const repeated = await record(cleo, { planTier: 'professional', paymentIntentId });
    expect([repeated.status, repeated.body]).toEqual([200, made.body]);
    expect((await cleo.rest('GET /api/subscriptions/active')).body).toEqual(made.body);
    expect((await cleo.rest('GET /api/subscriptions')).body).toEqual([made.body]);
    expect((await cleo.rest('GET /api/billing/payments')).body).toEqual([
      {
        id: expect.any(String),
        invoiceId: expect.stringMatching(/^INV-\d{4}-\d{6}$/),
        userId: cleo.user.id,
        amount: 99,
        paymentMethod: 'Visa ending 4242',
        status: 'completed',
        failure: '',
        paymentDate: expect.any(String),
      },
    ]);
    expect(await chargedTo(world.deps.db, cleo.user.id)).toEqual({ payments: 1, booked: 9900 });
  });

  test.each(PLAN_TIERS)('costs what the plan %s costs, through tRPC', async (planTier) => {
    const person = await world.as(`Buyer-${planTier}`);
    const subscription = await subscribe(person, planTier, CARDS.mastercard);
    expect(subscription).toMatchObject({ planTier, amount: PLANS[planTier].price, status: 'active' });
    expect(await person.rpc.billing.activeSubscription.query()).toEqual(subscription);
    expect(await person.rpc.billing.payments.query()).toMatchObject([
      { amount: PLANS[planTier].price / 100, paymentMethod: 'Mastercard ending 4444' },
    ]);
  });

  test('renews a month later, on the same day', async () => {
    const dora = await world.as('Dora');
    const { createdAt, renewalDate } = await subscribe(dora);
    const { rows } = await sql<{ next: string }>`
      select next_renewal(${createdAt}, extract(day from ${createdAt}::timestamptz at time zone 'UTC')::int) as next`.execute(
      world.deps.db,
    );
    expect(renewalDate).toBe(rows[0]?.next);
  });

  test('tells a stream of it', async () => {
    const eve = await world.as('Eve');
    const events = await eventsOf(eve);
    await events.next();
    const paid = await pay(eve, 'starter');
    await record(eve, { planTier: 'starter', paymentIntentId: paid.paymentIntentId });
    await events.next();
    events.end();
  });
});

/** The first event comes by itself. */
async function eventsOf({ rpc }: Person) {
  let count = 0;
  let seen = 0;
  let ring = () => {};
  const stream = rpc.billing.changes.subscribe(undefined, {
    onData: () => {
      count += 1;
      ring();
    },
  });
  return {
    async next() {
      const { promise, resolve } = Promise.withResolvers<void>();
      ring = resolve;
      if (count === seen) await promise;
      seen = count;
    },
    end: () => stream.unsubscribe(),
  };
}

test('what cards pay is on the books, and nobody owns it', async () => {
  const admin = await world.as('Books');
  await sql`update users set role = 'admin' where id = ${admin.user.id}`.execute(world.deps.db);
  const read = async () => (await admin.rpc.paymentGateway.trialBalance.query()).currencies[0];
  const before = await read();
  await subscribe(admin, 'enterprise');
  expect(await read()).toEqual({ ...before, entries: (before?.entries ?? 0) + 2, sum: 0 });
  const { rows } = await sql<{ revenue: number; payments: number }>`
    select (select balance from ledger_accounts where kind = 'revenue') as revenue,
      (select sum(amount) from payments where status = 'completed') as payments`.execute(world.deps.db);
  expect(rows[0]?.revenue).toBe(rows[0]?.payments);
});

describe('a stranger', () => {
  test('who is signed out gets 401 everywhere', async () => {
    const routes = [
      ...['GET /api/subscriptions/active', 'GET /api/subscriptions', 'GET /api/billing/provider'],
      ...['POST /api/create-subscription-payment', 'POST /api/billing/sandbox/confirm'],
      ...[
        'POST /api/billing/sandbox/authenticate',
        'POST /api/subscriptions',
        'POST /api/subscriptions/cancel',
      ],
      ...['POST /api/subscriptions/resume', 'GET /api/billing/payments', 'DELETE /api/billing/card'],
    ];
    for (const route of routes) {
      const answer = await world.anyone.rest(route);
      expect(answer, route).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
    }
    await expect(world.anyone.rpc.billing.payments.query()).rejects.toThrow('Unauthorized');
  });

  test("pays and uses nobody else's payment, and sees nothing of it", async () => {
    const { clientSecret, paymentIntentId } = await pay(ada, 'starter');
    const nobodys = { status: 404, body: { code: 'NOT_FOUND', message: 'Not found.' } };
    expect(await record(bob, { planTier: 'starter', paymentIntentId })).toMatchObject(nobodys);
    expect(await record(bob, { planTier: 'starter', paymentIntentId: UNKNOWN })).toMatchObject(nobodys);
    expect(await confirm(bob, { clientSecret })).toMatchObject(nobodys);
    expect(await confirm(bob, { clientSecret: SECRET })).toMatchObject(nobodys);
    const answering = { body: { clientSecret, approve: true } };
    expect(await bob.rest('POST /api/billing/sandbox/authenticate', answering)).toMatchObject(nobodys);
    expect((await record(ada, { planTier: 'starter', paymentIntentId })).status).toBe(201);
    expect(await bob.rpc.billing.payments.query()).toEqual([]);
    expect(await bob.rpc.billing.subscriptions.query()).toEqual([]);
    expect(await bob.rpc.billing.activeSubscription.query()).toBeNull();
    for (const route of ['POST /api/subscriptions/cancel', 'POST /api/subscriptions/resume']) {
      const message = 'You do not have a subscription.';
      expect(await bob.rest(route)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', message } });
    }
  });

  test('needs the whole secret', async () => {
    const { clientSecret } = await ada.rpc.billing.startPayment.mutate({ planTier: 'enterprise' });
    const wrong = clientSecret.slice(0, -1) + (clientSecret.endsWith('0') ? '1' : '0');
    expect((await confirm(ada, { clientSecret: wrong })).status).toBe(404);
    expect((await confirm(ada, { clientSecret: clientSecret.slice(0, -1) })).status).toBe(404);
  });
});
test('ten calls at once are one subscription and one payment', async () => {
  const lea = await world.as('Lea');
  const { paymentIntentId } = await pay(lea, 'starter');
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => record(lea, { planTier: 'starter', paymentIntentId })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await chargedTo(world.deps.db, lea.user.id)).toEqual({ payments: 1, booked: 2900 });
});

test('lists go by pages', async () => {
  const quin = await world.as('Quin');
  for (const planTier of PLAN_TIERS) await subscribe(quin, planTier);
  const all = await quin.rpc.billing.subscriptions.query();
  expect(all.map(({ planTier }) => planTier)).toEqual(['enterprise', 'professional', 'starter']);
  expect(await quin.rpc.billing.subscriptions.query({ limit: 1, cursor: all[0]?.id ?? '' })).toEqual([
    all[1],
  ]);
  const payments = await quin.rpc.billing.payments.query();
  const page = await quin.rest(`GET /api/billing/payments?limit=2&cursor=${payments[0]?.id}`);
  expect(page.body).toEqual(payments.slice(1));
  const limits = 'Limit must be a whole number from 1 to 1000.';
  expect(await quin.rest('GET /api/subscriptions?limit=0')).toMatchObject({
    status: 400,
    body: { message: limits },
  });
});
