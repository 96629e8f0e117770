import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { CARDS, chargedTo, record, start, subscribe } from './billing-fixtures.ts';
import { stripeWorlds } from './webhooks-world.ts';

const ROUTE = 'POST /api/billing/card/pay';
const ENTERPRISE = { planTier: 'enterprise' as const };

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(async () => {
  expect(await faultsOfLedger(world.deps.db)).toEqual([]);
  await world.close();
});

/** Somebody with a plan and the card that it was paid with, who begins to pay for another. */
async function changing(name: string, cardNumber: string = CARDS.success) {
  const person = await world.as(name);
  await subscribe(person, 'starter', cardNumber);
  const started = await person.rpc.billing.startPayment.mutate(ENTERPRISE);
  return { person, ...started };
}

function payAs(person: Pick<Person, 'rest'>, paymentIntentId: string) {
  return person.rest(ROUTE, { body: { paymentIntentId } });
}

const STARTER = { payments: 1, booked: 2900 };
const BOTH = { payments: 2, booked: 2900 + 29_900 };

describe('a change of plan', () => {
  test('is paid with the saved card once, however often it is asked for, by both doors', async () => {
    const { person, paymentIntentId } = await changing('Ada');
    const paid = { status: 'succeeded', paymentIntentId, message: '' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => payAs(person, paymentIntentId)));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: paid });
    expect(await person.rpc.billing.payWithSavedCard.mutate({ paymentIntentId })).toEqual(paid);
    expect(await record(person, { ...ENTERPRISE, paymentIntentId })).toMatchObject({
      status: 201,
      body: { planTier: 'enterprise', status: 'active' },
    });
    // What made a subscription is not looked at again.
    expect(await person.rpc.billing.payWithSavedCard.mutate({ paymentIntentId })).toEqual(paid);
    expect(await chargedTo(world.deps.db, person.user.id)).toEqual(BOTH);
    const { paymentMethod } = await person.rpc.billing.summary.query();
    expect(paymentMethod?.last4).toBe('4242');
    const [payment] = await person.rpc.billing.payments.query();
    expect(payment).toMatchObject({ amount: 299, paymentMethod: 'Visa ending 4242' });
  });

  test('is confirmed at the bank where that asks, and a denial leaves the card as it was', async () => {
    const { person, paymentIntentId, clientSecret } = await changing('Bea', CARDS.asksAlways);
    const answer = (approve: boolean) =>
      person.rpc.billing.authenticateSandboxPayment.mutate({ clientSecret, approve });
    const asked = { status: 200, body: { status: 'requires_action', paymentIntentId, message: '' } };
    expect(await payAs(person, paymentIntentId)).toMatchObject(asked);
    expect(await answer(false)).toMatchObject({ status: 'requires_payment_method' });
    expect((await record(person, { ...ENTERPRISE, paymentIntentId })).status).toBe(402);
    expect(await payAs(person, paymentIntentId)).toMatchObject(asked);
    expect((await record(person, { ...ENTERPRISE, paymentIntentId })).status).toBe(402);
    expect(await chargedTo(world.deps.db, person.user.id)).toEqual(STARTER);
    expect(await answer(true)).toMatchObject({ status: 'succeeded' });
    expect((await record(person, { ...ENTERPRISE, paymentIntentId })).status).toBe(201);
    expect(await chargedTo(world.deps.db, person.user.id)).toEqual(BOTH);
  });

  test('says why the card was declined, and keeps the plan', async () => {
    const { person, paymentIntentId } = await changing('Cyd', CARDS.renewalDeclined);
    expect(await payAs(person, paymentIntentId)).toMatchObject({
      status: 200,
      body: { status: 'requires_payment_method', message: 'Your card was declined.' },
    });
    expect((await record(person, { ...ENTERPRISE, paymentIntentId })).status).toBe(402);
    expect(await person.rpc.billing.activeSubscription.query()).toMatchObject({ planTier: 'starter' });
    expect(await chargedTo(world.deps.db, person.user.id)).toEqual(STARTER);
  });
});

describe('it is refused', () => {
  test('to whoever is signed out, and of a payment that is not theirs or is none', async () => {
    const { paymentIntentId } = await changing('Dot');
    expect((await payAs(world.anyone, paymentIntentId)).status).toBe(401);
    const eve = await world.as('Eve');
    await subscribe(eve);
    for (const id of [paymentIntentId, 'pi_000000000000000000000000']) {
      expect(await payAs(eve, id)).toMatchObject({ status: 404, body: { message: 'Not found.' } });
    }
    for (const id of ['', 'cus_1', 5, null]) {
      const answer = await eve.rest(ROUTE, { body: { paymentIntentId: id } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
    }
  });

  test('to an access token, which would pay without its owner', async () => {
    const { person, paymentIntentId } = await changing('Fay');
    const made = await person.rest('POST /api/auth/tokens', { body: { name: 'CI', scope: 'write' } });
    const { token } = made.body as { token: string };
    const answer = await world.anyone.rest(ROUTE, {
      body: { paymentIntentId },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await chargedTo(world.deps.db, person.user.id)).toEqual(STARTER);
  });

  test('without a saved card', async () => {
    const gil = await world.as('Gil');
    const { paymentIntentId } = (await start(gil, 'starter')).body as { paymentIntentId: string };
    expect(await payAs(gil, paymentIntentId)).toMatchObject({
      status: 409,
      body: { code: 'NO_CARD', message: 'There is no saved card to pay with.' },
    });
  });

  test('for a plan that is paid for meanwhile', async () => {
    const { person, paymentIntentId } = await changing('Hal');
    await subscribe(person, 'enterprise');
    expect(await payAs(person, paymentIntentId)).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_SUBSCRIBED', message: "You're already subscribed to the Enterprise plan." },
    });
    expect(await chargedTo(world.deps.db, person.user.id)).toEqual(BOTH);
  });

  test('while a renewal is being charged', async () => {
    const { person, paymentIntentId } = await changing('Ida');
    await world.deps.db
      .updateTable('subscriptions')
      .set({ charging: 'renewal-under-way' })
      .where('userId', '=', person.user.id)
      .execute();
    expect(await payAs(person, paymentIntentId)).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE' },
    });
    expect(await chargedTo(world.deps.db, person.user.id)).toEqual(STARTER);
  });
});

describe('by Stripe', () => {
  const here = stripeWorlds();

  async function changingThere(name: string, card: string = CARDS.success) {
    const person = await here.worlds[0].as(name);
    const { paymentIntentId: first, clientSecret } = await here.payFor(person, 'starter', card);
    if (here.stripe.intents.get(first)?.status === 'requires_action') {
      here.stripe.authenticate(clientSecret, true);
    }
    await record(person, { planTier: 'starter', paymentIntentId: first });
    return { person, ...(await person.rpc.billing.startPayment.mutate(ENTERPRISE)) };
  }

  test('it is one payment, whoever tells of it and on however many replicas', async () => {
    const { person, paymentIntentId } = await changingThere('Jan');
    const body = { paymentIntentId };
    const calls = [0, 1, 0, 1] as const;
    const paid = await Promise.all(calls.map((replica) => here.personAt(replica, person, ROUTE, { body })));
    for (const { status, body } of paid) {
      expect([status, body]).toEqual([200, { status: 'succeeded', paymentIntentId, message: '' }]);
    }
    const intent = here.stripe.intents.get(paymentIntentId);
    if (!intent) throw new Error('Stripe knows of no payment.');
    const [recorded, told] = await Promise.all([
      record(person, { ...ENTERPRISE, paymentIntentId }),
      here.deliver(here.succeeded(intent)),
    ]);
    expect([200, 201]).toContain(recorded.status);
    expect(told.status).toBe(200);
    expect(await chargedTo(here.db, person.user.id)).toEqual(BOTH);
    expect(here.stripe.cardsOf(intent.customer)).toEqual([CARDS.success]);
  });

  test('the bank asks in the browser, and what it says there counts', async () => {
    const { person, paymentIntentId, clientSecret } = await changingThere('Kit', CARDS.asksAlways);
    expect((await payAs(person, paymentIntentId)).body).toMatchObject({ status: 'requires_action' });
    here.stripe.authenticate(clientSecret, true);
    expect((await payAs(person, paymentIntentId)).body).toMatchObject({ status: 'succeeded' });
    expect((await record(person, { ...ENTERPRISE, paymentIntentId })).status).toBe(201);
    expect(await chargedTo(here.db, person.user.id)).toEqual(BOTH);
  });

  test('an answer that is lost is had by asking again, and a payment that was cancelled there is over', async () => {
    const { person, paymentIntentId } = await changingThere('Lee');
    here.stripe.trouble = 'failing';
    expect((await payAs(person, paymentIntentId)).status).toBe(503);
    here.stripe.trouble = null;
    const intent = here.stripe.intents.get(paymentIntentId);
    Object.assign(intent ?? {}, { status: 'canceled' });
    expect((await payAs(person, paymentIntentId)).body).toEqual({
      ...{ status: 'requires_payment_method', paymentIntentId },
      message: 'This payment was cancelled. Choose the plan again.',
    });
    Object.assign(intent ?? {}, { status: 'processing' });
    expect((await payAs(person, paymentIntentId)).body).toMatchObject({ status: 'processing' });
    expect(await chargedTo(here.db, person.user.id)).toEqual(STARTER);
  });
});
