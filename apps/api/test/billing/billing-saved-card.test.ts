import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
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

const IN_PROGRESS = {
  status: 409,
  body: {
    code: 'PAYMENT_IN_PROGRESS',
    message: 'Another payment with your saved card is in progress. Finish it first, or try again in an hour.',
  },
};

/** Moves a claim into the past, as if it had been made that much earlier. */
async function age(db: Kysely<Database>, id: string, by: string) {
  await sql`update payment_intents set paying_since = paying_since - ${by}::interval where id = ${id}`.execute(
    db,
  );
}

describe('two payments that were begun', () => {
  test('at the same time for the same plan: one is charged, by both doors', async () => {
    const { person, paymentIntentId: first } = await changing('Mia');
    const second = await person.rpc.billing.startPayment.mutate(ENTERPRISE);
    const ids = [first, second.paymentIntentId];
    const answers = await Promise.all(ids.map((id) => payAs(person, id)));
    const refused = answers.findIndex(({ status }) => status === 409);
    const [paymentIntentId = '', other = ''] = refused === 0 ? ids.toReversed() : ids;
    expect(answers.at(refused)).toMatchObject(IN_PROGRESS);
    expect(answers.at(1 - refused)).toMatchObject({ status: 200, body: { status: 'succeeded' } });
    const byRpc = person.rpc.billing.payWithSavedCard.mutate({ paymentIntentId: other });
    await expect(byRpc).rejects.toThrow(IN_PROGRESS.body.message);
    // The one that is charged is asked about again, and nobody else's is in its way.
    expect((await payAs(person, paymentIntentId)).status).toBe(200);
    expect((await record(person, { ...ENTERPRISE, paymentIntentId })).status).toBe(201);
    expect((await payAs(person, other)).body).toMatchObject({ code: 'ALREADY_SUBSCRIBED' });
    expect(await chargedTo(world.deps.db, person.user.id)).toEqual(BOTH);
  });

  test('wait for each other no longer than until one is declined, and for an hour at most', async () => {
    const { person, paymentIntentId: declined } = await changing('Ned', CARDS.renewalDeclined);
    const { paymentIntentId: other } = await person.rpc.billing.startPayment.mutate(ENTERPRISE);
    for (const id of [declined, other, declined]) {
      expect((await payAs(person, id)).body).toMatchObject({ status: 'requires_payment_method' });
    }
    const { person: asked, paymentIntentId: open } = await changing('Oda', CARDS.asksAlways);
    const { paymentIntentId: later } = await asked.rpc.billing.startPayment.mutate(ENTERPRISE);
    expect((await payAs(asked, open)).body).toMatchObject({ status: 'requires_action' });
    expect(await payAs(asked, later)).toMatchObject(IN_PROGRESS);
    await age(world.deps.db, open, '59 minutes');
    expect(await payAs(asked, later)).toMatchObject(IN_PROGRESS);
    await age(world.deps.db, open, '1 minute');
    expect((await payAs(asked, later)).body).toMatchObject({ status: 'requires_action' });
    expect(await payAs(asked, open)).toMatchObject(IN_PROGRESS);
  });

  test('go on after a process died before it asked the provider', async () => {
    const { person, paymentIntentId: cut } = await changing('Pia');
    const { paymentIntentId: other } = await person.rpc.billing.startPayment.mutate(ENTERPRISE);
    const { db } = world.deps;
    await sql`update payment_intents set paying_since = now() where id = ${cut}`.execute(db);
    expect(await payAs(person, other)).toMatchObject(IN_PROGRESS);
    await age(db, cut, '3 minutes');
    expect((await payAs(person, other)).body).toMatchObject({ status: 'succeeded' });
    expect(await payAs(person, cut)).toMatchObject(IN_PROGRESS);
    await record(person, { ...ENTERPRISE, paymentIntentId: other });
    expect(await chargedTo(db, person.user.id)).toEqual(BOTH);

    const { person: again, paymentIntentId: same } = await changing('Qiu');
    await sql`update payment_intents set paying_since = now() where id = ${same}`.execute(db);
    expect((await payAs(again, same)).body).toMatchObject({ status: 'succeeded' });
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

  test('of two payments one is charged, on however many replicas and while no answer is had', async () => {
    const { person, paymentIntentId: first } = await changingThere('Mia');
    const { paymentIntentId: second } = await person.rpc.billing.startPayment.mutate(ENTERPRISE);
    const ids = [first, second] as const;
    const answers = await Promise.all(
      ids.map((paymentIntentId, replica) =>
        here.personAt(replica === 0 ? 0 : 1, person, ROUTE, { body: { paymentIntentId } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const charged = ids.filter((id) => here.stripe.intents.get(id)?.status === 'succeeded');
    expect(charged).toHaveLength(1);

    const { person: unheard, paymentIntentId: lost } = await changingThere('Ned');
    const { paymentIntentId: other } = await unheard.rpc.billing.startPayment.mutate(ENTERPRISE);
    here.stripe.trouble = 'failing';
    expect((await payAs(unheard, lost)).status).toBe(503);
    here.stripe.trouble = null;
    expect(await payAs(unheard, other)).toMatchObject(IN_PROGRESS);
    expect((await payAs(unheard, lost)).body).toMatchObject({ status: 'succeeded' });
    await age(here.db, lost, '3 minutes');
    expect(await payAs(unheard, other)).toMatchObject(IN_PROGRESS);
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
