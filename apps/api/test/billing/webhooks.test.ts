import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { renew } from '../../src/domains/billing/renewal.ts';
import { CARDS, chargedTo, makeDue, record } from './billing-fixtures.ts';
import type { FakeIntent } from './stripe-server-books.ts';
import { HAD, planOf, stripeWorlds } from './webhooks-world.ts';

const here = stripeWorlds();

describe('an event', () => {
  test('makes the subscription of a payment whose browser is gone', async () => {
    const ada = await here.worlds[0].as('Ada');
    const { intent } = await here.payFor(ada, 'professional');
    expect(await here.deliver(here.succeeded(intent))).toMatchObject(HAD);
    expect(await planOf(ada)).toBe('professional');
    expect(await ada.rpc.billing.payments.query()).toMatchObject([
      { amount: 99, paymentMethod: 'Visa ending 4242' },
    ]);
    expect(await ada.rpc.billing.provider.query()).toEqual({
      ...{ name: 'stripe', publishableKey: 'pk_test_loopback0001', testMode: true, testCards: [] },
    });
  });

  test('is one effect with the browser, before it and after it', async () => {
    const bob = await here.worlds[0].as('Bob');
    const first = await here.payFor(bob, 'starter');
    await here.deliver(here.succeeded(first.intent));
    const after = await record(bob, { planTier: 'starter', paymentIntentId: first.paymentIntentId });
    expect(after.status).toBe(200);
    const second = await here.payFor(bob, 'enterprise');
    const before = await record(bob, { planTier: 'enterprise', paymentIntentId: second.paymentIntentId });
    expect(before.status).toBe(201);
    expect(await here.deliver(here.succeeded(second.intent))).toMatchObject(HAD);
    // Late, and again: what came first does not come back.
    expect(await here.deliver(here.succeeded(first.intent))).toMatchObject(HAD);
    expect(await planOf(bob)).toBe('enterprise');
    expect(await chargedTo(here.db, bob.user.id)).toEqual({ payments: 2, booked: 2900 + 29_900 });
  });

  test.each([
    ['the event comes late', ['professional', 'starter']],
    ['all is told in order', ['starter', 'professional']],
  ])(
    'of a payment for another plan, that was made first, leaves the last one when %s',
    async (_when, order) => {
      const ben = await here.worlds[0].as(`Ben-${order[0]}`);
      const starter = await here.payFor(ben, 'starter');
      const professional = await here.payFor(ben, 'professional', CARDS.mastercard);
      if (!starter.intent.latest_charge) throw new Error('It was paid.');
      starter.intent.latest_charge.created -= 60;
      for (const plan of order) {
        const { intent } = plan === 'starter' ? starter : professional;
        expect(await here.deliver(here.succeeded(intent))).toMatchObject(HAD);
      }
      expect(await planOf(ben)).toBe('professional');
      // Both were paid, and both are on the books; the card is that of the last.
      expect(await chargedTo(here.db, ben.user.id)).toEqual({ payments: 2, booked: 2900 + 9900 });
      expect((await ben.rpc.billing.summary.query()).paymentMethod?.last4).toBe('4444');
      const late = await record(ben, starter);
      expect(late).toMatchObject({ status: 200, body: { planTier: 'starter', status: 'cancelled' } });
      expect(await planOf(ben)).toBe('professional');
    },
  );

  test('ten times over two replicas, with ten calls of the browser, is one subscription and one payment', async () => {
    const cleo = await here.worlds[0].as('Cleo');
    const { intent, paymentIntentId } = await here.payFor(cleo);
    const event = here.succeeded(intent);
    const elsewhere = {
      rest: (route: string, options: object = {}) => here.personAt(1, cleo, route, options),
    };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => [
        here.deliver(event, undefined, n),
        record(n % 2 ? cleo : elsewhere, { planTier: 'starter', paymentIntentId }),
      ]).flat(),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(19);
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    expect(await here.deliver(event)).toMatchObject(HAD);
    expect(await chargedTo(here.db, cleo.user.id)).toEqual({ payments: 1, booked: 2900 });
    expect(await cleo.rpc.billing.subscriptions.query()).toHaveLength(1);
    const { rows } = await sql`select 1 from webhook_events where id = ${JSON.parse(event).id}`.execute(
      here.db,
    );
    expect(rows).toHaveLength(1);
  });

  test.each(['gone', 'failing', 'silent'] as const)(
    'that cannot be looked up, since Stripe is %s, comes again',
    { timeout: 60_000 },
    async (trouble) => {
      const dora = await here.worlds[0].as(`Dora-${trouble}`);
      const { intent } = await here.payFor(dora);
      const event = here.succeeded(intent);
      here.stripe.trouble = trouble;
      const answer = await here.deliver(event);
      expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect(answer.headers.get('retry-after')).toBe('2');
      here.stripe.trouble = null;
      expect(await planOf(dora)).toBeUndefined();
      expect(await here.deliver(event)).toMatchObject(HAD);
      expect(await planOf(dora)).toBe('starter');
    },
  );

  test('is not believed: what it says is read at Stripe', async () => {
    const eve = await here.worlds[0].as('Eve');
    const { paymentIntentId } = await eve.rpc.billing.startPayment.mutate({ planTier: 'starter' });
    const unpaid = here.stripe.intents.get(paymentIntentId) as FakeIntent;
    expect(
      await here.deliver(here.succeeded({ ...unpaid, status: 'succeeded', amount_received: 2900 })),
    ).toMatchObject(HAD);
    expect(await planOf(eve)).toBeUndefined();
    const cheap = await here.payFor(eve);
    cheap.intent.amount_received = 1;
    expect(await here.deliver(here.succeeded(cheap.intent))).toMatchObject(HAD);
    expect(await planOf(eve)).toBeUndefined();
    expect(await chargedTo(here.db, eve.user.id)).toEqual({ payments: 0, booked: 0 });
    // Put right later, the next delivery finds it so.
    cheap.intent.amount_received = 2900;
    expect(await here.deliver(here.succeeded(cheap.intent))).toMatchObject(HAD);
    expect(await planOf(eve)).toBe('starter');
  });

  test('of a declined card is no payment, and of others nothing at all', async () => {
    const fay = await here.worlds[0].as('Fay');
    const { intent } = await here.payFor(fay, 'starter', CARDS.declined);
    expect(await here.deliver(here.stripe.event('payment_intent.payment_failed', intent))).toMatchObject(HAD);
    expect(await fay.rpc.billing.payments.query()).toEqual([]);
    const calls = here.stripe.calls.length;
    expect(await here.deliver(here.stripe.event('customer.created', { id: 'cus_1' }))).toMatchObject(HAD);
    expect(await here.deliver(here.stripe.event('something.new', {}))).toMatchObject(HAD);
    expect(here.stripe.calls).toHaveLength(calls);
    const foreign = { ...intent, id: 'pi_ofanothershop00000001', metadata: {} };
    expect(await here.deliver(here.succeeded(foreign))).toMatchObject(HAD);
    here.stripe.intents.set(foreign.id, { ...foreign, status: 'succeeded', amount_received: 2900 });
    expect(await here.deliver(here.succeeded(foreign))).toMatchObject(HAD);
    for (const userId of [fay.user.id, 'customer number 42']) {
      here.stripe.intents.set(foreign.id, { ...foreign, status: 'succeeded', metadata: { userId } });
      expect(await here.deliver(here.succeeded(foreign))).toMatchObject(HAD);
    }
    expect(await planOf(fay)).toBeUndefined();
  });

  test('concludes a renewal whose process died', async () => {
    const gus = await here.worlds[0].as('Gus');
    const { intent } = await here.payFor(gus);
    await here.deliver(here.succeeded(intent));
    const [subscription] = await gus.rpc.billing.subscriptions.query();
    const id = subscription?.id ?? '';
    await makeDue(here.db, id);
    const { provider } = here;
    const dying = {
      ...provider,
      charge: (charge: Parameters<typeof provider.charge>[0]) =>
        provider.charge(charge).then(() => Promise.reject(new Error('killed'))),
    };
    await expect(renew({ db: here.db, provider: dying }, id)).rejects.toThrow('killed');
    const renewal = [...here.stripe.intents.values()].findLast(
      ({ metadata }) => metadata.userId === gus.user.id,
    );
    expect(await here.deliver(here.succeeded(renewal as FakeIntent))).toMatchObject(HAD);
    expect(await chargedTo(here.db, gus.user.id)).toEqual({ payments: 2, booked: 5800 });
    await renew({ db: here.db, provider }, id);
    expect(await chargedTo(here.db, gus.user.id)).toEqual({ payments: 2, booked: 5800 });
    expect((await gus.rpc.billing.activeSubscription.query())?.status).toBe('active');
  });

  test('of other money than a renewal asked for does not renew', async () => {
    const hal = await here.worlds[0].as('Hal');
    const { intent } = await here.payFor(hal);
    await here.deliver(here.succeeded(intent));
    const [{ id } = { id: '' }] = await hal.rpc.billing.subscriptions.query();
    await makeDue(here.db, id);
    const { provider } = here;
    const silent = { ...provider, charge: () => Promise.reject(new Error('killed')) };
    await expect(renew({ db: here.db, provider: silent }, id)).rejects.toThrow('killed');
    const [{ charging } = { charging: '' }] = await here.db
      .selectFrom('subscriptions')
      .select('charging')
      .where('id', '=', id)
      .execute();
    const metadata = { userId: hal.user.id, planTier: 'starter', chargeKey: charging ?? '' };
    const forged = { ...intent, id: 'pi_forgedrenewal000000001', metadata };
    for (const changes of [
      { amount_received: 1 },
      { currency: 'jpy' },
      { livemode: true },
      { metadata: { ...metadata, userId: 'someone' } },
    ]) {
      here.stripe.intents.set(forged.id, { ...forged, ...changes });
      expect(await here.deliver(here.succeeded(forged))).toMatchObject(HAD);
      expect(await hal.rpc.billing.activeSubscription.query()).toMatchObject({ renewing: true });
    }
    expect(await chargedTo(here.db, hal.user.id)).toEqual({ payments: 1, booked: 2900 });
    here.stripe.intents.delete(forged.id);
    await renew({ db: here.db, provider }, id);
    expect(await chargedTo(here.db, hal.user.id)).toEqual({ payments: 2, booked: 5800 });
  });
});
