import type { PlanTier } from '@nephos/contracts';
import { createTestDatabase } from '@nephos/db/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { renew } from '../src/domains/billing/renewal.ts';
import { createStripeProvider } from '../src/domains/billing/stripe-provider.ts';
import { CARDS, chargedTo, makeDue, record } from './billing-fixtures.ts';
import { faultsOfLedger } from './ledger-faults.ts';
import { type FakeIntent, type StripeServer, startStripeServer } from './stripe-server.ts';
import { createWorld, type Person, type RestOptions, type World } from './world.ts';

const ROUTE = 'POST /api/webhooks/stripe';
const BAD = {
  status: 400,
  body: { code: 'BAD_SIGNATURE', message: 'The signature does not fit the request.' },
};
const HAD = { status: 200, body: { received: true } };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let stripe: StripeServer;
/** Two replicas over one database. */
let worlds: [World, World];
let db: World['deps']['db'];

beforeAll(async () => {
  database = await createTestDatabase();
  stripe = await startStripeServer();
  const payments = createStripeProvider(stripe.settings, pino({ level: 'silent' }), { timeout: 300 });
  const options = {
    databaseUrl: database.url,
    settings: { stripe: stripe.settings },
    overrides: { payments },
  };
  worlds = [await createWorld(options), await createWorld(options)];
  db = worlds[0].deps.db;
});

afterEach(() => {
  stripe.trouble = null;
});

afterAll(async () => {
  expect(await faultsOfLedger(db)).toEqual([]);
  await Promise.all(worlds.map((world) => world.close()));
  await stripe.close();
  await database.drop();
});

/** As Stripe delivers: to either replica, without a session. */
function deliver(payload: string, signature: string = stripe.sign(payload), replica = 0) {
  const world = worlds[replica % 2] ?? worlds[0];
  return world.anyone.rest(ROUTE, { body: payload, headers: { 'stripe-signature': signature } });
}

/** Pays in the browser, and tells nobody. */
async function payFor(person: Person, planTier: PlanTier = 'starter', card: string = CARDS.success) {
  const { clientSecret, paymentIntentId } = await person.rpc.billing.startPayment.mutate({ planTier });
  const intent = stripe.pay(clientSecret, card);
  return { planTier, paymentIntentId, intent, clientSecret };
}

function succeeded(intent: FakeIntent, id?: string): string {
  return stripe.event('payment_intent.succeeded', intent, id);
}

async function planOf({ rpc }: Person) {
  return (await rpc.billing.activeSubscription.query())?.planTier;
}

describe('an event', () => {
  test('makes the subscription of a payment whose browser is gone', async () => {
    const ada = await worlds[0].as('Ada');
    const { intent } = await payFor(ada, 'professional');
    expect(await deliver(succeeded(intent))).toMatchObject(HAD);
    expect(await planOf(ada)).toBe('professional');
    expect(await ada.rpc.billing.payments.query()).toMatchObject([
      { amount: 99, paymentMethod: 'Visa ending 4242' },
    ]);
    expect(await ada.rpc.billing.provider.query()).toEqual({
      ...{ name: 'stripe', publishableKey: 'pk_test_loopback0001', testMode: true, testCards: [] },
    });
  });

  test('is one effect with the browser, before it and after it', async () => {
    const bob = await worlds[0].as('Bob');
    const first = await payFor(bob, 'starter');
    await deliver(succeeded(first.intent));
    const after = await record(bob, { planTier: 'starter', paymentIntentId: first.paymentIntentId });
    expect(after.status).toBe(200);
    const second = await payFor(bob, 'enterprise');
    const before = await record(bob, { planTier: 'enterprise', paymentIntentId: second.paymentIntentId });
    expect(before.status).toBe(201);
    expect(await deliver(succeeded(second.intent))).toMatchObject(HAD);
    // Late, and again: what came first does not come back.
    expect(await deliver(succeeded(first.intent))).toMatchObject(HAD);
    expect(await planOf(bob)).toBe('enterprise');
    expect(await chargedTo(db, bob.user.id)).toEqual({ payments: 2, booked: 2900 + 29_900 });
  });

  test.each([
    ['the event comes late', ['professional', 'starter']],
    ['all is told in order', ['starter', 'professional']],
  ])(
    'of a payment for another plan, that was made first, leaves the last one when %s',
    async (_when, order) => {
      const ben = await worlds[0].as(`Ben-${order[0]}`);
      const starter = await payFor(ben, 'starter');
      const professional = await payFor(ben, 'professional', CARDS.mastercard);
      if (!starter.intent.latest_charge) throw new Error('It was paid.');
      starter.intent.latest_charge.created -= 60;
      for (const plan of order) {
        const { intent } = plan === 'starter' ? starter : professional;
        expect(await deliver(succeeded(intent))).toMatchObject(HAD);
      }
      expect(await planOf(ben)).toBe('professional');
      // Both were paid, and both are on the books; the card is that of the last.
      expect(await chargedTo(db, ben.user.id)).toEqual({ payments: 2, booked: 2900 + 9900 });
      expect((await ben.rpc.billing.summary.query()).paymentMethod?.last4).toBe('4444');
      const late = await record(ben, starter);
      expect(late).toMatchObject({ status: 200, body: { planTier: 'starter', status: 'cancelled' } });
      expect(await planOf(ben)).toBe('professional');
    },
  );

  test('ten times over two replicas, with ten calls of the browser, is one subscription and one payment', async () => {
    const cleo = await worlds[0].as('Cleo');
    const { intent, paymentIntentId } = await payFor(cleo);
    const event = succeeded(intent);
    const elsewhere = { rest: (route: string, options: object = {}) => personAt(1, cleo, route, options) };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => [
        deliver(event, undefined, n),
        record(n % 2 ? cleo : elsewhere, { planTier: 'starter', paymentIntentId }),
      ]).flat(),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(19);
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    expect(await deliver(event)).toMatchObject(HAD);
    expect(await chargedTo(db, cleo.user.id)).toEqual({ payments: 1, booked: 2900 });
    expect(await cleo.rpc.billing.subscriptions.query()).toHaveLength(1);
    const { rows } = await sql`select 1 from webhook_events where id = ${JSON.parse(event).id}`.execute(db);
    expect(rows).toHaveLength(1);
  });

  test.each(['gone', 'failing', 'silent'] as const)(
    'that cannot be looked up, since Stripe is %s, comes again',
    { timeout: 30_000 },
    async (trouble) => {
      const dora = await worlds[0].as(`Dora-${trouble}`);
      const { intent } = await payFor(dora);
      const event = succeeded(intent);
      stripe.trouble = trouble;
      const answer = await deliver(event);
      expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect(answer.headers.get('retry-after')).toBe('2');
      stripe.trouble = null;
      expect(await planOf(dora)).toBeUndefined();
      expect(await deliver(event)).toMatchObject(HAD);
      expect(await planOf(dora)).toBe('starter');
    },
  );

  test('is not believed: what it says is read at Stripe', async () => {
    const eve = await worlds[0].as('Eve');
    const { paymentIntentId } = await eve.rpc.billing.startPayment.mutate({ planTier: 'starter' });
    const unpaid = stripe.intents.get(paymentIntentId) as FakeIntent;
    expect(await deliver(succeeded({ ...unpaid, status: 'succeeded', amount_received: 2900 }))).toMatchObject(
      HAD,
    );
    expect(await planOf(eve)).toBeUndefined();
    const cheap = await payFor(eve);
    cheap.intent.amount_received = 1;
    expect(await deliver(succeeded(cheap.intent))).toMatchObject(HAD);
    expect(await planOf(eve)).toBeUndefined();
    expect(await chargedTo(db, eve.user.id)).toEqual({ payments: 0, booked: 0 });
    // Put right later, the next delivery finds it so.
    cheap.intent.amount_received = 2900;
    expect(await deliver(succeeded(cheap.intent))).toMatchObject(HAD);
    expect(await planOf(eve)).toBe('starter');
  });

  test('of a declined card is no payment, and of others nothing at all', async () => {
    const fay = await worlds[0].as('Fay');
    const { intent } = await payFor(fay, 'starter', CARDS.declined);
    expect(await deliver(stripe.event('payment_intent.payment_failed', intent))).toMatchObject(HAD);
    expect(await fay.rpc.billing.payments.query()).toEqual([]);
    const calls = stripe.calls.length;
    expect(await deliver(stripe.event('customer.created', { id: 'cus_1' }))).toMatchObject(HAD);
    expect(await deliver(stripe.event('something.new', {}))).toMatchObject(HAD);
    expect(stripe.calls).toHaveLength(calls);
    const foreign = { ...intent, id: 'pi_ofanothershop00000001', metadata: {} };
    expect(await deliver(succeeded(foreign))).toMatchObject(HAD);
    stripe.intents.set(foreign.id, { ...foreign, status: 'succeeded', amount_received: 2900 });
    expect(await deliver(succeeded(foreign))).toMatchObject(HAD);
    for (const userId of [fay.user.id, 'customer number 42']) {
      stripe.intents.set(foreign.id, { ...foreign, status: 'succeeded', metadata: { userId } });
      expect(await deliver(succeeded(foreign))).toMatchObject(HAD);
    }
    expect(await planOf(fay)).toBeUndefined();
  });

  test('concludes a renewal whose process died', async () => {
    const gus = await worlds[0].as('Gus');
    const { intent } = await payFor(gus);
    await deliver(succeeded(intent));
    const [subscription] = await gus.rpc.billing.subscriptions.query();
    const id = subscription?.id ?? '';
    await makeDue(db, id);
    const { provider } = worlds[0].deps.billing;
    const dying = {
      ...provider,
      charge: (charge: Parameters<typeof provider.charge>[0]) =>
        provider.charge(charge).then(() => Promise.reject(new Error('killed'))),
    };
    await expect(renew({ db, provider: dying }, id)).rejects.toThrow('killed');
    const renewal = [...stripe.intents.values()].findLast(({ metadata }) => metadata.userId === gus.user.id);
    expect(await deliver(succeeded(renewal as FakeIntent))).toMatchObject(HAD);
    expect(await chargedTo(db, gus.user.id)).toEqual({ payments: 2, booked: 5800 });
    await renew({ db, provider }, id);
    expect(await chargedTo(db, gus.user.id)).toEqual({ payments: 2, booked: 5800 });
    expect((await gus.rpc.billing.activeSubscription.query())?.status).toBe('active');
  });
});

function personAt(replica: 0 | 1, { cookie }: Person, route: string, options: RestOptions) {
  return worlds[replica].anyone.rest(route, { ...options, headers: { ...options.headers, cookie } });
}

describe('a signature', () => {
  const payload = () => stripe.event('customer.created', { id: 'cus_1' });

  test('is taken from Stripe alone', async () => {
    const event = payload();
    expect(await deliver(event)).toMatchObject(HAD);
    expect(await deliver(event, stripe.sign(event, { secret: 'whsec_other' }))).toMatchObject(BAD);
    const other = event.replace('customer.created', 'customer.creatad');
    expect(await deliver(other, stripe.sign(event))).toMatchObject(BAD);
    const signature = stripe.sign(event);
    const flipped = signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
    expect(await deliver(event, flipped)).toMatchObject(BAD);
    expect(await deliver(`${event} `, signature)).toMatchObject(BAD);
  });

  test('is good for 300 seconds, by the clock of the database', async () => {
    const event = payload();
    expect(await deliver(event, stripe.sign(event, { age: 295 }))).toMatchObject(HAD);
    expect(await deliver(event, stripe.sign(event, { age: 301 }))).toMatchObject(BAD);
    expect(await deliver(event, stripe.sign(event, { age: 86_400 }))).toMatchObject(BAD);
    const signature = stripe.sign(event);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 14 * 24 * 60 * 60 * 1000 });
    const late = await deliver(event, signature);
    vi.useRealTimers();
    expect(late).toMatchObject(HAD);
  });

  test.each([
    ['nothing', () => ''],
    ['no pairs', () => "I'm not even a real signature header"],
    ['no time', (event: string) => stripe.sign(event).replace(/t=\d+,/, '')],
    ['no v1', (event: string) => stripe.sign(event).replace('v1=', 'v2=')],
    ['only v0', (event: string) => stripe.sign(event, { scheme: 'v0' })],
    ['an empty v1', (event: string) => stripe.sign(event).replace(/v1=.*/, 'v1=')],
    ['a time that is no number', (event: string) => stripe.sign(event).replace(/t=\d+/, 't=now')],
    [
      'another time than was signed',
      (event: string) => stripe.sign(event).replace(/t=\d+/, `t=${Date.now()}`),
    ],
  ])('is refused with %s', async (_what, sign) => {
    const event = payload();
    expect(await deliver(event, sign(event))).toMatchObject(BAD);
  });

  test('is refused without its header, and over nothing', async () => {
    const event = payload();
    expect(await worlds[0].anyone.rest(ROUTE, { body: event })).toMatchObject(BAD);
    expect(await worlds[0].anyone.rest(ROUTE)).toMatchObject(BAD);
    expect(await deliver('', stripe.sign(''))).toMatchObject(BAD);
    expect(await deliver('no JSON', stripe.sign('no JSON'))).toMatchObject(BAD);
  });

  test('is one of several that are given while the secret changes', async () => {
    const event = payload();
    const [time, good] = stripe.sign(event).split(',');
    const wrong = 'v1=0000000000000000000000000000000000000000000000000000000000000000';
    expect(await deliver(event, `${time},${wrong},${good}`)).toMatchObject(HAD);
    expect(await deliver(event, `${time},v0=abc,${good},${wrong}`)).toMatchObject(HAD);
    expect(await deliver(event, `${time},${wrong},${wrong}`)).toMatchObject(BAD);
  });

  test('is over the bytes as they came', async () => {
    const event = stripe.event('customer.created', { id: 'cus_1', name: 'Zoë ☁️' }).replace('{', '{ \n');
    expect(await deliver(event)).toMatchObject(HAD);
  });
});

describe('the address', () => {
  test('takes 256 KiB and no more', async () => {
    const of = (size: number) => {
      const empty = stripe.event('customer.created', { id: '' }, 'evt_large');
      return empty.replace('"id":""', `"id":"${'x'.repeat(size - empty.length)}"`);
    };
    expect(of(256 * 1024)).toHaveLength(256 * 1024);
    expect(await deliver(of(256 * 1024))).toMatchObject(HAD);
    expect(await deliver(of(256 * 1024 + 1))).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' },
    });
  });

  test('takes no session, and nothing from another site', async () => {
    const event = stripe.event('customer.created', { id: 'cus_1' });
    const headers = { 'stripe-signature': stripe.sign(event), origin: 'https://evil.example' };
    const answer = await worlds[0].anyone.rest(ROUTE, { body: event, headers });
    expect(answer).toMatchObject({ status: 403, body: { code: 'CSRF' } });
    expect((await worlds[0].anyone.rest('GET /api/webhooks/stripe')).status).toBe(404);
  });

  test('is not there without Stripe, and the sandbox is not there with it', async () => {
    const world = await createWorld({ databaseUrl: database.url });
    const event = stripe.event('customer.created', { id: 'cus_1' });
    const headers = { 'stripe-signature': stripe.sign(event) };
    expect((await world.anyone.rest(ROUTE, { body: event, headers })).status).toBe(404);
    await world.close();
    const hal = await worlds[0].as('Hal');
    const { clientSecret } = await hal.rpc.billing.startPayment.mutate({ planTier: 'starter' });
    const body = { clientSecret, cardNumber: CARDS.success, expiryMonth: 1, expiryYear: 2099, cvc: '123' };
    expect(await hal.rest('POST /api/billing/sandbox/confirm', { body })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });

  test('is called 600 times a minute by one address', async () => {
    const world = await createWorld({
      databaseUrl: database.url,
      settings: { stripe: stripe.settings, rateLimits: true },
    });
    await sql`insert into rate_limits (key, count, window_ends)
      values ('stripe:127.0.0.1', 599, now() + interval '1 minute')`.execute(db);
    const event = stripe.event('customer.created', { id: 'cus_1' });
    const headers = { 'stripe-signature': stripe.sign(event) };
    const call = () => world.anyone.rest(ROUTE, { body: event, headers });
    expect(await call()).toMatchObject(HAD);
    expect(await call()).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    await world.close();
  });
});

describe('Stripe is away', () => {
  test('when a payment begins or is recorded: nothing is half done, and later it works', async () => {
    const ivy = await worlds[0].as('Ivy');
    const plan = { planTier: 'starter' as const };
    const start = () =>
      ivy.rest('POST /api/create-subscription-payment', {
        body: plan,
        headers: { 'idempotency-key': 'ivys' },
      });
    stripe.trouble = 'gone';
    expect(await start()).toMatchObject({
      status: 503,
      body: {
        code: 'UNAVAILABLE',
        message: 'Card payments are not available at the moment. Try again in a moment.',
      },
    });
    const { rows } = await sql`
      select 1 from payment_customers where user_id = ${ivy.user.id}
      union all select 1 from payment_intents where user_id = ${ivy.user.id}`.execute(db);
    expect(rows).toEqual([]);
    stripe.trouble = null;
    const { clientSecret, paymentIntentId } = (await start()).body as Record<string, string>;
    stripe.pay(clientSecret ?? '', CARDS.success);
    stripe.trouble = 'failing';
    expect((await record(ivy, { ...plan, paymentIntentId }, 'ivys-2')).status).toBe(503);
    stripe.trouble = null;
    expect((await record(ivy, { ...plan, paymentIntentId }, 'ivys-2')).status).toBe(201);
    // What is known already is not asked for again.
    stripe.trouble = 'gone';
    expect((await record(ivy, { ...plan, paymentIntentId }, 'ivys-2')).status).toBe(201);
    expect((await record(ivy, { ...plan, paymentIntentId })).status).toBe(200);
  });

  test('no more, but somebody was deleted there: they become a customer anew', async () => {
    const kim = await worlds[0].as('Kim');
    const { intent, paymentIntentId } = await payFor(kim);
    const first = await record(kim, { planTier: 'starter', paymentIntentId });
    stripe.deleteCustomer(intent.customer);
    const begin = (replica: 0 | 1) =>
      personAt(replica, kim, 'POST /api/create-subscription-payment', {
        body: { planTier: 'enterprise' },
        headers: { 'idempotency-key': 'kims' },
      });
    const answers = await Promise.all([begin(0), begin(1), begin(0), begin(1)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const [{ body } = { body: {} }] = answers;
    const paid = stripe.pay((body as { clientSecret: string }).clientSecret, CARDS.mastercard);
    expect(paid.customer).not.toBe(intent.customer);
    // Their card went with them: what renews meanwhile says so, instead of waiting for an answer for ever.
    const { id } = first.body as { id: string };
    await makeDue(db, id);
    await renew({ db, provider: worlds[0].deps.billing.provider }, id);
    expect(await kim.rpc.billing.activeSubscription.query()).toMatchObject({ id, status: 'past_due' });
    const anew = await record(kim, { planTier: 'enterprise', paymentIntentId: paid.id });
    expect(anew).toMatchObject({ status: 201, body: { planTier: 'enterprise', status: 'active' } });
    await makeDue(db, (anew.body as { id: string }).id);
    await renew({ db, provider: worlds[0].deps.billing.provider }, (anew.body as { id: string }).id);
    expect(await chargedTo(db, kim.user.id)).toEqual({ payments: 3, booked: 2900 + 2 * 29_900 });
  });

  test('no longer: a payment of the other mode, or in another currency, is not taken', async () => {
    const jan = await worlds[0].as('Jan');
    const { intent, paymentIntentId } = await payFor(jan);
    intent.livemode = true;
    expect(await record(jan, { planTier: 'starter', paymentIntentId })).toMatchObject({
      status: 422,
      body: { code: 'PLAN_MISMATCH' },
    });
    intent.currency = 'eur';
    intent.livemode = false;
    expect((await record(jan, { planTier: 'starter', paymentIntentId })).status).toBe(422);
  });
});
