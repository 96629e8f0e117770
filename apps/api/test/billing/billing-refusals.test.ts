import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
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
      body: { code: 'ALREADY_SUBSCRIBED', message: "You're already subscribed to the Starter plan." },
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
      body: { code: 'PAYMENT_NOT_COMPLETED', message: "The payment hasn't been completed." },
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
      body: { code: 'PLAN_MISMATCH', message: "This payment doesn't match this plan." },
    });
    expect(await chargedTo(world.deps.db, ivy.user.id)).toEqual({ payments: 0, booked: 0 });
    expect(await ivy.rpc.billing.subscriptions.query()).toEqual([]);
  });

  test('as long as not all of it has arrived', async () => {
    const lou = await world.as('Lou');
    const { paymentIntentId } = await pay(lou, 'starter');
    await tamper(world.deps.db, paymentIntentId, { amount: 2899 });
    const input = { planTier: 'starter' as const, paymentIntentId };
    expect(await record(lou, input)).toMatchObject({
      status: 402,
      body: { code: 'PAYMENT_NOT_COMPLETED', message: "The payment hasn't been completed." },
    });
    await expect(lou.rpc.billing.subscribe.mutate(input)).rejects.toMatchObject({
      data: { httpStatus: 402, reason: 'PAYMENT_NOT_COMPLETED' },
    });
    expect(await chargedTo(world.deps.db, lou.user.id)).toEqual({ payments: 0, booked: 0 });
    // Too little of something else is not a part of what is asked for.
    await tamper(world.deps.db, paymentIntentId, { currency: 'jpy' });
    expect(await record(lou, input)).toMatchObject({ status: 422, body: { code: 'PLAN_MISMATCH' } });
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
