import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { createWorld } from '../world.ts';
import { CARDS } from './billing-fixtures.ts';
import { HAD, ROUTE, stripeWorlds } from './webhooks-world.ts';

const BAD = {
  status: 400,
  body: { code: 'BAD_SIGNATURE', message: "The signature doesn't match the request." },
};

const here = stripeWorlds();

describe('a signature', () => {
  const payload = () => here.stripe.event('customer.created', { id: 'cus_1' });

  test('is taken from Stripe alone', async () => {
    const event = payload();
    expect(await here.deliver(event)).toMatchObject(HAD);
    expect(await here.deliver(event, here.stripe.sign(event, { secret: 'whsec_other' }))).toMatchObject(BAD);
    const other = event.replace('customer.created', 'customer.creatad');
    expect(await here.deliver(other, here.stripe.sign(event))).toMatchObject(BAD);
    const signature = here.stripe.sign(event);
    const flipped = signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
    expect(await here.deliver(event, flipped)).toMatchObject(BAD);
    expect(await here.deliver(`${event} `, signature)).toMatchObject(BAD);
  });

  test('is good for 300 seconds, by the clock of the database', async () => {
    const event = payload();
    expect(await here.deliver(event, here.stripe.sign(event, { age: 295 }))).toMatchObject(HAD);
    expect(await here.deliver(event, here.stripe.sign(event, { age: 301 }))).toMatchObject(BAD);
    expect(await here.deliver(event, here.stripe.sign(event, { age: 86_400 }))).toMatchObject(BAD);
    const signature = here.stripe.sign(event);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 14 * 24 * 60 * 60 * 1000 });
    const late = await here.deliver(event, signature);
    vi.useRealTimers();
    expect(late).toMatchObject(HAD);
  });

  test.each([
    ['nothing', () => ''],
    ['no pairs', () => "I'm not even a real signature header"],
    ['no time', (event: string) => here.stripe.sign(event).replace(/t=\d+,/, '')],
    ['no v1', (event: string) => here.stripe.sign(event).replace('v1=', 'v2=')],
    ['only v0', (event: string) => here.stripe.sign(event, { scheme: 'v0' })],
    ['an empty v1', (event: string) => here.stripe.sign(event).replace(/v1=.*/, 'v1=')],
    ['a time that is no number', (event: string) => here.stripe.sign(event).replace(/t=\d+/, 't=now')],
    [
      'another time than was signed',
      (event: string) => here.stripe.sign(event).replace(/t=\d+/, `t=${Date.now()}`),
    ],
  ])('is refused with %s', async (_what, sign) => {
    const event = payload();
    expect(await here.deliver(event, sign(event))).toMatchObject(BAD);
  });

  test('is refused without its header', async () => {
    const event = payload();
    expect(await here.worlds[0].anyone.rest(ROUTE, { body: event })).toMatchObject(BAD);
    expect(await here.worlds[0].anyone.rest(ROUTE)).toMatchObject(BAD);
  });

  test('is one of several that are given while the secret changes', async () => {
    const event = payload();
    const [time, good] = here.stripe.sign(event).split(',');
    const wrong = 'v1=0000000000000000000000000000000000000000000000000000000000000000';
    expect(await here.deliver(event, `${time},${wrong},${good}`)).toMatchObject(HAD);
    expect(await here.deliver(event, `${time},v0=abc,${good},${wrong}`)).toMatchObject(HAD);
    expect(await here.deliver(event, `${time},${wrong},${wrong}`)).toMatchObject(BAD);
  });

  test('is over the bytes as they came', async () => {
    const event = here.stripe.event('customer.created', { id: 'cus_1', name: 'Zoë ☁️' }).replace('{', '{ \n');
    expect(await here.deliver(event)).toMatchObject(HAD);
  });
});

describe('with a good signature', () => {
  test.each(['', 'no JSON', 'null', '7', '"evt_1"', '[]', '{}', '{"id":"evt_1"}', '{"id":7,"type":"a"}'])(
    '%s is no event',
    async (payload) => {
      expect(await here.deliver(payload)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION', message: 'The body is not an event of Stripe.' },
      });
    },
  );

  const INTENT = 'payment_intent.succeeded';
  test.each<[string, object]>([
    ['no data', { type: INTENT }],
    ['data that is null', { type: INTENT, data: null }],
    ['data that is a list', { type: INTENT, data: [] }],
    ['no object', { type: INTENT, data: { object: null } }],
    ['no id', { type: INTENT, data: { object: {} } }],
    ['an id that is a number', { type: INTENT, data: { object: { id: 7 } } }],
    ['an id that is a path', { type: INTENT, data: { object: { id: 'pi_0000000000/../../v1/customers' } } }],
    ['an id that is empty', { type: INTENT, data: { object: { id: '' } } }],
    ['an id with a NUL', { type: INTENT, data: { object: { id: 'pi_00000000\u0000' } } }],
    ['an id of something else', { type: INTENT, data: { object: { id: 'ch_0000000000' } } }],
    ['another type, and no data', { type: 'something.new', data: null }],
    ['a thin form', { object: 'v2.core.event', type: 'v1.billing.meter.error_report_triggered' }],
  ])('an event with %s is ignored, and Stripe is not asked about it', async (what, event) => {
    const calls = here.stripe.calls.length;
    const told = vi.spyOn(here.worlds[0].deps.log, 'info');
    const id = `evt_odd_${what.replaceAll(/\W/g, '_')}`;
    expect(await here.deliver(JSON.stringify({ id, ...event }))).toMatchObject(HAD);
    expect(here.stripe.calls).toHaveLength(calls);
    expect(told.mock.calls).toContainEqual([expect.objectContaining({ event: id }), expect.any(String)]);
    told.mockRestore();
  });
});

describe('the address', () => {
  test('takes 256 KiB and no more', async () => {
    const of = (size: number) => {
      const empty = here.stripe.event('customer.created', { id: '' }, 'evt_large');
      return empty.replace('"id":""', `"id":"${'x'.repeat(size - empty.length)}"`);
    };
    expect(of(256 * 1024)).toHaveLength(256 * 1024);
    expect(await here.deliver(of(256 * 1024))).toMatchObject(HAD);
    expect(await here.deliver(of(256 * 1024 + 1))).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' },
    });
  });

  test('takes no session, and nothing from another site', async () => {
    const event = here.stripe.event('customer.created', { id: 'cus_1' });
    const headers = { 'stripe-signature': here.stripe.sign(event), origin: 'https://evil.example' };
    const answer = await here.worlds[0].anyone.rest(ROUTE, { body: event, headers });
    expect(answer).toMatchObject({ status: 403, body: { code: 'CSRF' } });
    expect((await here.worlds[0].anyone.rest('GET /api/webhooks/stripe')).status).toBe(404);
  });

  test('is not there without Stripe, and the sandbox is not there with it', async () => {
    const world = await createWorld({ databaseUrl: here.databaseUrl });
    const event = here.stripe.event('customer.created', { id: 'cus_1' });
    const headers = { 'stripe-signature': here.stripe.sign(event) };
    expect((await world.anyone.rest(ROUTE, { body: event, headers })).status).toBe(404);
    await world.close();
    const hal = await here.worlds[0].as('Hal');
    const { clientSecret } = await hal.rpc.billing.startPayment.mutate({ planTier: 'starter' });
    const body = { clientSecret, cardNumber: CARDS.success, expiryMonth: 1, expiryYear: 2099, cvc: '123' };
    expect(await hal.rest('POST /api/billing/sandbox/confirm', { body })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });

  test('is called 600 times a minute by one address', async () => {
    const world = await createWorld({
      databaseUrl: here.databaseUrl,
      settings: { stripe: here.stripe.settings, rateLimits: true },
    });
    await sql`insert into rate_limits (key, count, window_ends)
      values ('stripe:127.0.0.1', 599, now() + interval '1 minute')`.execute(here.db);
    const event = here.stripe.event('customer.created', { id: 'cus_1' });
    const headers = { 'stripe-signature': here.stripe.sign(event) };
    const call = () => world.anyone.rest(ROUTE, { body: event, headers });
    expect(await call()).toMatchObject(HAD);
    expect(await call()).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    await world.close();
  });
});
