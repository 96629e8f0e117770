import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { renew } from '../../src/domains/billing/renewal.ts';
import { CARDS, chargedTo, makeDue, record } from './billing-fixtures.ts';
import { stripeWorlds } from './webhooks-world.ts';

const here = stripeWorlds();

describe('Stripe is away', () => {
  test('when a payment begins or is recorded: nothing is half done, and later it works', async () => {
    const ivy = await here.worlds[0].as('Ivy');
    const plan = { planTier: 'starter' as const };
    const start = () =>
      ivy.rest('POST /api/create-subscription-payment', {
        body: plan,
        headers: { 'idempotency-key': 'ivys' },
      });
    here.stripe.trouble = 'gone';
    expect(await start()).toMatchObject({
      status: 503,
      body: {
        code: 'UNAVAILABLE',
        message: "Card payments aren't available right now. Try again in a moment.",
      },
    });
    const { rows } = await sql`
      select 1 from payment_customers where user_id = ${ivy.user.id}
      union all select 1 from payment_intents where user_id = ${ivy.user.id}`.execute(here.db);
    expect(rows).toEqual([]);
    here.stripe.trouble = null;
    const { clientSecret, paymentIntentId } = (await start()).body as Record<string, string>;
    here.stripe.pay(clientSecret ?? '', CARDS.success);
    here.stripe.trouble = 'failing';
    expect((await record(ivy, { ...plan, paymentIntentId }, 'ivys-2')).status).toBe(503);
    here.stripe.trouble = null;
    expect((await record(ivy, { ...plan, paymentIntentId }, 'ivys-2')).status).toBe(201);
    // What is known already is not asked for again.
    here.stripe.trouble = 'gone';
    expect((await record(ivy, { ...plan, paymentIntentId }, 'ivys-2')).status).toBe(201);
    expect((await record(ivy, { ...plan, paymentIntentId })).status).toBe(200);
  });

  test('no more, but somebody was deleted there: they become a customer anew', async () => {
    const kim = await here.worlds[0].as('Kim');
    const { intent, paymentIntentId } = await here.payFor(kim);
    const first = await record(kim, { planTier: 'starter', paymentIntentId });
    here.stripe.deleteCustomer(intent.customer);
    const begin = (replica: 0 | 1) =>
      here.personAt(replica, kim, 'POST /api/create-subscription-payment', {
        body: { planTier: 'enterprise' },
        headers: { 'idempotency-key': 'kims' },
      });
    const answers = await Promise.all([begin(0), begin(1), begin(0), begin(1)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const [{ body } = { body: {} }] = answers;
    const paid = here.stripe.pay((body as { clientSecret: string }).clientSecret, CARDS.mastercard);
    expect(paid.customer).not.toBe(intent.customer);
    // Their card went with them: what renews meanwhile says so, instead of waiting for an answer for ever.
    const { id } = first.body as { id: string };
    await makeDue(here.db, id);
    await renew({ db: here.db, provider: here.provider }, id);
    expect(await kim.rpc.billing.activeSubscription.query()).toMatchObject({ id, status: 'past_due' });
    const anew = await record(kim, { planTier: 'enterprise', paymentIntentId: paid.id });
    expect(anew).toMatchObject({ status: 201, body: { planTier: 'enterprise', status: 'active' } });
    await makeDue(here.db, (anew.body as { id: string }).id);
    await renew({ db: here.db, provider: here.provider }, (anew.body as { id: string }).id);
    expect(await chargedTo(here.db, kim.user.id)).toEqual({ payments: 3, booked: 2900 + 2 * 29_900 });
  });

  test('no longer: a payment of the other mode, or in another currency, is not taken', async () => {
    const jan = await here.worlds[0].as('Jan');
    const { intent, paymentIntentId } = await here.payFor(jan);
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
