import { PLAN_TIERS, PLANS } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOG_OPTIONS } from '../src/platform/log.ts';
import { CARDS, cardInput, chargedTo, pay, record, subscribe } from './billing-fixtures.ts';
import { faultsOfLedger } from './ledger-faults.ts';
import { createWorld, type Person, type World } from './world.ts';

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

function start(person: Pick<Person, 'rest'>, planTier: unknown, key?: string) {
  const headers: Record<string, string> = key ? { 'idempotency-key': key } : {};
  return person.rest('POST /api/create-subscription-payment', { body: { planTier }, headers });
}

function confirm(person: Pick<Person, 'rest'>, changes: object) {
  return person.rest('POST /api/billing/sandbox/confirm', { body: { ...cardInput(), ...changes } });
}

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
      const message = 'You have no subscription.';
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

describe('a payment is refused', () => {
  test.each([undefined, '', 'free', 'constructor', 7, null, ['starter']])(
    'for the plan %j',
    async (planTier) => {
      expect(await start(ada, planTier)).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
    },
  );

  test.each(['', 'pi_short', 'ch_0000000000', `pi_${'0'.repeat(65)}`, 'pi_00000000-0', 5, null])(
    'that is called %j',
    async (paymentIntentId) => {
      const answer = await record(ada, { planTier: 'starter', paymentIntentId });
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
    },
  );

  test('while the same plan is active, and no other', async () => {
    const fay = await world.as('Fay');
    await subscribe(fay, 'starter');
    expect(await start(fay, 'starter')).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_SUBSCRIBED', message: 'You are subscribed to the Starter plan already.' },
    });
    expect((await start(fay, 'professional')).status).toBe(200);
    await sql`update subscriptions set status = 'past_due', past_due_since = now(), next_attempt = now(),
      failure = 'Declined.' where user_id = ${fay.user.id}`.execute(world.deps.db);
    expect((await start(fay, 'starter')).status).toBe(200);
  });

  test('with a key that was used for another plan', async () => {
    const gus = await world.as('Gus');
    const first = await start(gus, 'starter', 'same-key');
    const again = await start(gus, 'starter', 'same-key');
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await start(gus, 'enterprise', 'same-key')).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const parallel = await Promise.all(Array.from({ length: 8 }, () => start(gus, 'enterprise', 'another')));
    expect(new Set(parallel.map(({ text }) => text)).size).toBe(1);
    expect((await start(bob, 'starter', 'same-key')).body).not.toEqual(first.body);
  });

  test('as long as it has not arrived', async () => {
    const hal = await world.as('Hal');
    const unpaid = {
      status: 402,
      body: { code: 'PAYMENT_NOT_COMPLETED', message: 'The payment has not been completed.' },
    };
    const { paymentIntentId, clientSecret } = await hal.rpc.billing.startPayment.mutate({
      planTier: 'starter',
    });
    const input = { planTier: 'starter', paymentIntentId };
    expect(await record(hal, input)).toMatchObject(unpaid);
    await confirm(hal, { clientSecret, cardNumber: CARDS.declined });
    expect(await record(hal, input)).toMatchObject(unpaid);
    await confirm(hal, { clientSecret, cardNumber: CARDS.asksAlways });
    expect(await record(hal, input)).toMatchObject(unpaid);
    await expect(hal.rpc.billing.subscribe.mutate({ ...input, planTier: 'starter' })).rejects.toMatchObject({
      data: { httpStatus: 402, reason: 'PAYMENT_NOT_COMPLETED' },
    });
    expect(await chargedTo(world.deps.db, hal.user.id)).toEqual({ payments: 0, booked: 0 });
  });

  test.each([
    ['of another plan', { planTier: 'enterprise' }, null],
    ['that is cheaper', {}, { amount: 2899 }],
    ['that is dearer', {}, { amount: 2901 }],
    ['in another currency', {}, { currency: 'jpy' }],
    ['in another mode', {}, { livemode: true }],
    ['that the provider has for another plan', {}, { metadata: { planTier: 'enterprise' } }],
    ['that the provider has for another person', {}, { metadata: { userId: 'someone' } }],
  ])('%s', async (what, input, tampered) => {
    const ivy = await world.as(`Ivy-${what.replaceAll(' ', '-')}`);
    const { paymentIntentId } = await pay(ivy, 'starter');
    if (tampered) await tamper(world.deps.db, paymentIntentId, tampered);
    expect(await record(ivy, { planTier: 'starter', paymentIntentId, ...input })).toMatchObject({
      status: 422,
      body: { code: 'PLAN_MISMATCH', message: 'This payment is not for this plan.' },
    });
    expect(await chargedTo(world.deps.db, ivy.user.id)).toEqual({ payments: 0, booked: 0 });
    expect(await ivy.rpc.billing.subscriptions.query()).toEqual([]);
  });

  test('for a second subscription, and for another plan than it paid', async () => {
    const jan = await world.as('Jan');
    const first = await pay(jan, 'starter');
    const input = { planTier: 'starter', paymentIntentId: first.paymentIntentId };
    const made = await record(jan, input);
    await subscribe(jan, 'professional');
    const again = await record(jan, input);
    expect([again.status, again.body]).toEqual([
      200,
      expect.objectContaining({ id: (made.body as { id: string }).id, status: 'cancelled' }),
    ]);
    expect((await record(jan, { ...input, planTier: 'professional' })).status).toBe(422);
    expect(await chargedTo(world.deps.db, jan.user.id)).toEqual({ payments: 2, booked: 2900 + 9900 });
  });

  test('by the first answer to a key', async () => {
    const kim = await world.as('Kim');
    const { paymentIntentId } = await pay(kim, 'starter');
    const input = { planTier: 'starter', paymentIntentId };
    const made = await record(kim, input, 'kims-key');
    const again = await record(kim, input, 'kims-key');
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      made.body,
      'true',
    ]);
    expect(await record(kim, { ...input, planTier: 'enterprise' }, 'kims-key')).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });
});

async function tamper(
  db: Kysely<Database>,
  id: string,
  { metadata, ...columns }: { metadata?: object; amount?: number; currency?: string; livemode?: boolean },
) {
  if (metadata) {
    await sql`update sandbox_intents set metadata = metadata || ${JSON.stringify(metadata)}::jsonb where id = ${id}`.execute(
      db,
    );
  }
  for (const [column, value] of Object.entries(columns)) {
    await sql`update sandbox_intents set ${sql.ref(column)} = ${value} where id = ${id}`.execute(db);
  }
}

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

describe('the card form of the sandbox', () => {
  test('says which cards there are', async () => {
    const provider = await ada.rpc.billing.provider.query();
    expect(provider).toMatchObject({ name: 'sandbox', publishableKey: null, testMode: true });
    expect(provider.testCards.map(({ number }) => number).sort()).toEqual(Object.values(CARDS).sort());
    expect((await ada.rest('GET /api/billing/provider')).body).toEqual(provider);
  });

  test.each([
    [{ cardNumber: '4242' }, 400],
    [{ cardNumber: '4242x42424242424' }, 400],
    [{ cardNumber: 4242424242424242 }, 400],
    [{ expiryMonth: 0 }, 400],
    [{ expiryMonth: 13 }, 400],
    [{ expiryYear: 26 }, 400],
    [{ expiryMonth: '12' }, 400],
    [{ cvc: '12' }, 400],
    [{ cvc: '12345' }, 400],
  ])('refuses %j', async (changes, status) => {
    const { clientSecret } = await ada.rpc.billing.startPayment.mutate({ planTier: 'enterprise' });
    expect(await confirm(ada, { clientSecret, ...changes })).toMatchObject({
      status,
      body: { code: 'VALIDATION' },
    });
  });

  test.each([
    [{ cardNumber: '4111111111111111' }, /not a test card/],
    [{ cardNumber: CARDS.declined }, /^Your card was declined\.$/],
    [{ cardNumber: CARDS.insufficientFunds }, /^Your card has insufficient funds\.$/],
    [{ expiryYear: 2020 }, /^Your card's expiration year is invalid\.$/],
  ])('declines %j, and takes another', async (changes, message) => {
    const person = await world.as(`Payer-${Object.keys(changes)[0]}-${String(message).length}`);
    const { clientSecret, paymentIntentId } = await person.rpc.billing.startPayment.mutate({
      planTier: 'starter',
    });
    expect(await confirm(person, { clientSecret, ...changes })).toMatchObject({
      status: 200,
      body: { status: 'requires_payment_method', paymentIntentId, message: expect.stringMatching(message) },
    });
    expect((await confirm(person, { clientSecret })).body).toMatchObject({
      status: 'succeeded',
      message: '',
    });
    // Paid is paid, whatever card comes after.
    const after = await confirm(person, { clientSecret, cardNumber: CARDS.declined });
    expect(after.body).toMatchObject({ status: 'succeeded' });
    expect(await person.rpc.billing.payments.query()).toEqual([]);
  });

  test('takes a card until the end of its month', async () => {
    const { rows } = await sql<{ year: number; month: number }>`
      select extract(year from d)::int as year, extract(month from d)::int as month
      from unnest(array[now() at time zone 'UTC', (now() at time zone 'UTC') - interval '1 month']) d`.execute(
      world.deps.db,
    );
    const mia = await world.as('Mia');
    const { clientSecret } = await mia.rpc.billing.startPayment.mutate({ planTier: 'starter' });
    const [now, before] = rows.map(({ year, month }) => ({ expiryYear: year, expiryMonth: month }));
    expect((await confirm(mia, { clientSecret, ...before })).body).toMatchObject({
      status: 'requires_payment_method',
      message: expect.stringMatching(/^Your card's expiration (month|year) is invalid\.$/),
    });
    expect((await confirm(mia, { clientSecret, ...now })).body).toMatchObject({ status: 'succeeded' });
  });

  test('keeps no number and no security code anywhere', async () => {
    const noa = await world.as('Noa');
    await subscribe(noa, 'starter', CARDS.asksOnce);
    await pay(noa, 'professional', '4111111111111111');
    const { rows } = await sql<{ name: string; found: boolean }>`
      select c.relname as name, query_to_xml(format('select * from %I', c.relname), true, false, '')::text
        ~ '4000002500003155|4111111111111111' as found
      from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(world.deps.db);
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter(({ found }) => found)).toEqual([]);
  });
});

test('nothing of a card is logged, whatever the level', async () => {
  const lines: string[] = [];
  const log = pino({ ...LOG_OPTIONS, level: 'trace' }, { write: (line: string) => lines.push(line) });
  const settings = { logLevel: 'debug' };
  const talkative = await createWorld({ databaseUrl: world.databaseUrl, log, settings });
  const rita = await talkative.as('Rita');
  const { clientSecret } = await rita.rpc.billing.startPayment.mutate({ planTier: 'starter' });
  await confirm(rita, { clientSecret, cardNumber: '4111111111111111', cvc: '9876' });
  await confirm(rita, { clientSecret, cardNumber: '411111111111111x', cvc: '9876' });
  await confirm(rita, { clientSecret, cvc: '9876' });
  await talkative.close();
  expect(lines.join('')).toContain('/api/billing/sandbox/confirm');
  expect(lines.join('')).not.toMatch(/411111|424242|"9876"|_secret_/);
});

describe('the card', () => {
  test('is shown, and kept for as long as a subscription needs it', async () => {
    const pat = await world.as('Pat');
    const missing = { status: 404, body: { code: 'NOT_FOUND', message: 'There is no card to remove.' } };
    expect(await pat.rest('DELETE /api/billing/card')).toMatchObject(missing);
    await subscribe(pat, 'starter');
    expect(await pat.rest('DELETE /api/billing/card')).toMatchObject({
      status: 409,
      body: {
        code: 'CARD_IN_USE',
        message: 'Your subscription renews with this card. Cancel the subscription first.',
      },
    });
    await pat.rpc.billing.cancel.mutate();
    expect(await pat.rest('DELETE /api/billing/card')).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await pat.rest('DELETE /api/billing/card')).toMatchObject(missing);
    expect(await pat.rest('POST /api/subscriptions/resume')).toMatchObject({
      status: 409,
      body: { code: 'NO_CARD', message: 'There is no card any more to renew with.' },
    });
    const { rows } = await sql`
      select 1 from sandbox_cards c join payment_customers p on p.customer_id = c.customer_id
      where p.user_id = ${pat.user.id}`.execute(world.deps.db);
    expect(rows).toEqual([]);
  });
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
  const limits = 'A limit is a whole number from 1 to 1000.';
  expect(await quin.rest('GET /api/subscriptions?limit=0')).toMatchObject({
    status: 400,
    body: { message: limits },
  });
});
