import type { Payment, PlanTier, Subscription } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { mayInstall } from '../src/domains/billing/access.ts';
import { planOf } from '../src/domains/billing/plan.ts';
import type { Charge, PaymentProvider } from '../src/domains/billing/provider.ts';
import { renew } from '../src/domains/billing/renewal.ts';
import { unavailable } from '../src/errors.ts';
import { CARDS, chargedTo, makeDue, pay, record, subscribe } from './billing-fixtures.ts';
import { faultsOfLedger } from './ledger-faults.ts';
import { createWorld, type Person, type World } from './world.ts';

let world: World;
let db: World['deps']['db'];
let provider: PaymentProvider;

beforeAll(async () => {
  world = await createWorld();
  db = world.deps.db;
  provider = world.deps.billing.provider;
});

afterAll(async () => {
  expect(await faultsOfLedger(db)).toEqual([]);
  await world.close();
});

let count = 0;

/** Someone new with a subscription that is due. */
async function due(card: string = CARDS.success, planTier: PlanTier = 'starter') {
  count += 1;
  const person = await world.as(`Person-${count}`);
  const { id } = await subscribe(person, planTier, card);
  await makeDue(db, id);
  return { person, id, userId: person.user.id, renewalDate: (await read(person, id)).renewalDate };
}

async function read({ rpc }: Pick<Person, 'rpc'>, id: string): Promise<Subscription> {
  const found = (await rpc.billing.subscriptions.query()).find((one) => one.id === id);
  if (!found) throw new Error('There is no such subscription.');
  return found;
}

async function newest({ rpc }: Pick<Person, 'rpc'>): Promise<Payment | undefined> {
  return (await rpc.billing.payments.query({ limit: 1 }))[0];
}

const renewed = (id: string, by: PaymentProvider = provider) => renew({ db, provider: by }, id);

/** The provider, with another way to charge; `asked` are the charges that it was asked for. */
function charging(charge: (asked: Charge) => ReturnType<PaymentProvider['charge']>) {
  const asked: Charge[] = [];
  const other: PaymentProvider = {
    ...provider,
    charge: (one) => {
      asked.push(one);
      return charge(one);
    },
  };
  return { asked, other };
}

/** Milliseconds from one instant to another. */
const between = (from: string, to: string | null) => Date.parse(to ?? '') - Date.parse(from);
const DAY = 24 * 60 * 60 * 1000;

async function nextOf(renewalDate: string, anchorDay?: number): Promise<string> {
  const day = anchorDay ?? new Date(renewalDate).getUTCDate();
  const { rows } = await sql<{ next: string }>`select next_renewal(${renewalDate}, ${day}) as next`.execute(
    db,
  );
  return rows[0]?.next ?? '';
}

describe('a renewal', () => {
  test('is charged once, and goes a month on', async () => {
    const { person, id, userId, renewalDate } = await due();
    expect(await person.rpc.billing.activeSubscription.query()).toBeNull();
    await renewed(id);
    await renewed(id);
    expect(await read(person, id)).toMatchObject({
      ...{ status: 'active', failure: '', nextAttempt: null },
      renewalDate: await nextOf(renewalDate),
    });
    expect(await person.rpc.billing.payments.query()).toMatchObject([
      { amount: 29, status: 'completed', paymentMethod: 'Visa ending 4242' },
      { amount: 29, status: 'completed' },
    ]);
    expect(await chargedTo(db, userId)).toEqual({ payments: 2, booked: 5800 });
  });

  test.each([
    ['-59 minutes', true],
    ['-61 minutes', false],
  ])('%s after the end of the period is charged: %s', async (ago, charged) => {
    const { person, id, userId } = await due();
    await makeDue(db, id, ago);
    await renewed(id);
    expect((await chargedTo(db, userId)).payments).toBe(charged ? 2 : 1);
    // Who pays is never without a plan.
    expect(await person.rpc.billing.activeSubscription.query()).not.toBeNull();
  });

  test('by ten processes at once is charged once', async () => {
    const { id, userId } = await due();
    await Promise.all(Array.from({ length: 10 }, () => renewed(id)));
    expect(await chargedTo(db, userId)).toEqual({ payments: 2, booked: 5800 });
    const { rows } = await sql`
      select 1 from sandbox_intents where metadata->>'userId' = ${userId} and status = 'succeeded'`.execute(
      db,
    );
    expect(rows).toHaveLength(2);
  });

  test('whose process is killed after the charge is made good, and not charged again', async () => {
    const { person, id, userId, renewalDate } = await due();
    const { asked, other } = charging(async (one) => {
      await provider.charge(one);
      throw new Error('killed');
    });
    await expect(renewed(id, other)).rejects.toThrow('killed');
    expect(await chargedTo(db, userId)).toEqual({ payments: 1, booked: 2900 });
    // Until that is known, nothing else happens to what may be paid already.
    const busy = { status: 503, body: { message: expect.stringMatching(/being renewed/) } };
    const { paymentIntentId } = await pay(person, 'enterprise');
    expect(await record(person, { planTier: 'enterprise', paymentIntentId })).toMatchObject(busy);
    expect(await person.rest('DELETE /api/billing/card')).toMatchObject({ status: 409 });
    const { asked: again, other: alive } = charging((one) => provider.charge(one));
    await renewed(id, alive);
    expect(again).toEqual([{ ...asked[0], again: true }]);
    expect(asked[0]).toMatchObject({ key: `renewal-${id}-${renewalDate}-1`, again: false, amount: 2900 });
    expect(await chargedTo(db, userId)).toEqual({ payments: 2, booked: 5800 });
    expect((await record(person, { planTier: 'enterprise', paymentIntentId })).status).toBe(201);
  });

  test('of which the provider says nothing is tried again, as the same', async () => {
    const { person, id, userId } = await due();
    const before = await read(person, id);
    const { asked, other } = charging(() => Promise.reject(unavailable()));
    await expect(renewed(id, other)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await expect(renewed(id, other)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    expect(await read(person, id)).toEqual(before);
    expect(await chargedTo(db, userId)).toEqual({ payments: 1, booked: 2900 });
    await renewed(id);
    expect(await chargedTo(db, userId)).toEqual({ payments: 2, booked: 5800 });
  });

  test('comes by itself in the background, and takes on what was paid and never recorded', {
    timeout: 30_000,
  }, async () => {
    const { person, id, userId } = await due();
    const left = await world.as('Left');
    const { paymentIntentId } = await pay(left, 'professional');
    await sql`update payment_intents set created_at = now() - interval '11 minutes' where id = ${paymentIntentId}`.execute(
      db,
    );
    const running = await createWorld({ databaseUrl: world.databaseUrl, running: true });
    const { renewals } = running.deps.billing;
    await Promise.all([renewals.enqueueDue(), renewals.enqueueDue(), renewals.claim(), renewals.claim()]);
    await vi.waitFor(async () => expect((await chargedTo(db, userId)).payments).toBe(2), { timeout: 15_000 });
    expect((await read(person, id)).status).toBe('active');
    await running.close();
    expect(await chargedTo(db, left.user.id)).toEqual({ payments: 1, booked: 9900 });
    expect(await left.rpc.billing.activeSubscription.query()).toMatchObject({ planTier: 'professional' });
  });
});

describe('the day of renewal', () => {
  test.each([
    ['2127-01-31T10:30:00.000Z', 31, '2127-02-28T10:30:00.000Z'],
    ['2127-02-28T10:30:00.000Z', 31, '2127-03-31T10:30:00.000Z'],
    ['2128-01-30T00:00:00.000Z', 30, '2128-02-29T00:00:00.000Z'],
    ['2128-02-29T00:00:00.000Z', 30, '2128-03-30T00:00:00.000Z'],
    ['2127-12-31T23:59:59.999Z', 31, '2128-01-31T23:59:59.999Z'],
    ['2127-03-15T02:30:00.000Z', 15, '2127-04-15T02:30:00.000Z'],
    ['2127-04-30T12:00:00.000Z', 31, '2127-05-31T12:00:00.000Z'],
  ])('after %s, of the %dth, is %s', async (from, day, next) => {
    expect(await nextOf(from, day)).toBe(next);
  });

  test('does not depend on where the database is', async () => {
    await db.transaction().execute(async (trx) => {
      await sql`set local timezone = 'Pacific/Kiritimati'`.execute(trx);
      const { rows } = await sql<{ next: string }>`
        select next_renewal('2127-01-31T23:30:00Z', 31) as next`.execute(trx);
      expect(rows[0]?.next).toBe('2127-02-28T23:30:00.000Z');
    });
  });

  test('is the next one to come after a long time: months that nobody had are not charged', async () => {
    const { person, id, userId } = await due();
    await makeDue(db, id, '100 days');
    await renewed(id);
    await renewed(id);
    expect(await chargedTo(db, userId)).toEqual({ payments: 2, booked: 5800 });
    const { renewalDate } = await read(person, id);
    expect(Date.parse(renewalDate)).toBeGreaterThan(Date.now());
    expect(Date.parse(renewalDate)).toBeLessThan(Date.now() + 32 * DAY);
  });
});

describe('a declined renewal', () => {
  test.each([
    [CARDS.renewalDeclined, 'Your card was declined.'],
    [CARDS.asksAlways, 'Your card was declined. This transaction requires authentication.'],
  ])('of %s is tried again after 1, 3 and 7 days, and then the subscription ends', async (card, failure) => {
    const { person, id, userId, renewalDate } = await due(card);
    let since = '';
    for (const days of [1, 3, 7]) {
      await renewed(id);
      const state = await read(person, id);
      expect(state).toMatchObject({ status: 'past_due', failure, renewalDate });
      since ||= (await newest(person))?.paymentDate ?? '';
      expect(between(since, state.nextAttempt)).toBeCloseTo(days * DAY, -1);
      expect(await person.rpc.billing.activeSubscription.query()).toEqual(state);
      expect(await newest(person)).toMatchObject({ status: 'failed', failure, amount: 29 });
      expect((await planOf(db, userId)).name).toBe('Starter');
      // Before its time nothing is tried.
      await renewed(id);
      expect(await read(person, id)).toEqual(state);
      since = await passDays(id, days === 1 ? 1 : days === 3 ? 2 : 4, since);
    }
    await renewed(id);
    expect(await read(person, id)).toMatchObject({ status: 'cancelled', failure: '', nextAttempt: null });
    expect(await person.rpc.billing.activeSubscription.query()).toBeNull();
    expect((await person.rpc.billing.payments.query()).map(({ status }) => status)).toEqual([
      ...Array(4).fill('failed'),
      'completed',
    ]);
    await renewed(id);
    expect(await chargedTo(db, userId)).toEqual({ payments: 1, booked: 2900 });
  });

  /** Lets time pass for a subscription that is past due; gives the instant of its first decline, as that is then. */
  async function passDays(id: string, days: number, since: string): Promise<string> {
    await sql`
      update subscriptions set next_attempt = next_attempt - make_interval(days => ${days}),
        past_due_since = past_due_since - make_interval(days => ${days}) where id = ${id}`.execute(db);
    return new Date(Date.parse(since) - days * DAY).toISOString();
  }

  test('bars installing when the period is over, and is forgotten when another card pays', async () => {
    const { person, id, userId } = await due(CARDS.renewalDeclined);
    await sql`update users set trial_end_date = now() where id = ${userId}`.execute(db);
    await makeDue(db, id, '-30 minutes');
    await renewed(id);
    expect((await read(person, id)).status).toBe('past_due');
    expect(await mayInstall(db, userId)).toBe(true);
    await makeDue(db, id);
    expect(await mayInstall(db, userId)).toBe(false);
    const anew = await subscribe(person, 'starter', CARDS.mastercard);
    expect(await mayInstall(db, userId)).toBe(true);
    expect((await person.rpc.billing.activeSubscription.query())?.id).toBe(anew.id);
    expect((await read(person, id)).status).toBe('cancelled');
    await makeDue(db, anew.id);
    await renewed(anew.id);
    expect(await newest(person)).toMatchObject({
      status: 'completed',
      paymentMethod: 'Mastercard ending 4444',
    });
  });

  test('is one without a card, and one whose card has expired', async () => {
    const { person, id, userId } = await due();
    await sql`update sandbox_cards set expiry_year = 2020 where customer_id =
      (select customer_id from payment_customers where user_id = ${userId})`.execute(db);
    await renewed(id);
    expect(await read(person, id)).toMatchObject({ status: 'past_due', failure: 'Your card has expired.' });
    const other = await due();
    await sql`update payment_customers set payment_method_id = null where user_id = ${other.userId}`.execute(
      db,
    );
    await renewed(other.id);
    expect(await newest(other.person)).toMatchObject({
      ...{ status: 'failed', failure: 'There is no card to charge.', paymentMethod: 'No card' },
    });
  });

  test('is followed by one that succeeds, and the day of renewal stays', async () => {
    const { person, id, renewalDate } = await due(CARDS.renewalDeclined);
    await renewed(id);
    await sql`update sandbox_cards set test_card = 'visa'`.execute(db);
    await passDays(id, 1, renewalDate);
    await renewed(id);
    expect(await read(person, id)).toMatchObject({
      ...{ status: 'active', failure: '', nextAttempt: null, renewalDate: await nextOf(renewalDate) },
    });
  });
});

describe('cancelling', () => {
  const cancel = (person: Person) => person.rest('POST /api/subscriptions/cancel');
  const resume = (person: Person) => person.rest('POST /api/subscriptions/resume');

  test('ends with the period, without a charge, and not before', async () => {
    const person = await world.as('Canceller');
    const { id, renewalDate } = await subscribe(person);
    expect(await cancel(person)).toMatchObject({
      status: 200,
      body: { id, status: 'active', cancelAtPeriodEnd: true, renewalDate },
    });
    expect((await cancel(person)).body).toMatchObject({ id, cancelAtPeriodEnd: true });
    await makeDue(db, id, '-30 minutes');
    await renewed(id);
    expect((await read(person, id)).status).toBe('active');
    expect(await person.rpc.billing.activeSubscription.query()).not.toBeNull();
    await makeDue(db, id);
    await renewed(id);
    expect((await read(person, id)).status).toBe('cancelled');
    expect(await chargedTo(db, person.user.id)).toEqual({ payments: 1, booked: 2900 });
    expect(await cancel(person)).toMatchObject({ status: 404 });
  });

  test('can be taken back until then', async () => {
    const { person, id } = await due();
    await makeDue(db, id, '-2 hours');
    await person.rpc.billing.cancel.mutate();
    expect(await resume(person)).toMatchObject({ status: 200, body: { id, cancelAtPeriodEnd: false } });
    expect(await resume(person)).toMatchObject({ status: 200, body: { id, cancelAtPeriodEnd: false } });
    await cancel(person);
    await makeDue(db, id);
    expect(await resume(person)).toMatchObject({
      status: 409,
      body: { code: 'PERIOD_ENDED', message: 'The period has ended. Choose a plan to subscribe again.' },
    });
  });

  test('ends at once what is past due', async () => {
    const { person, id } = await due(CARDS.renewalDeclined);
    await renewed(id);
    expect(await person.rpc.billing.cancel.mutate()).toMatchObject({
      id,
      status: 'cancelled',
      nextAttempt: null,
    });
    expect(await person.rpc.billing.activeSubscription.query()).toBeNull();
  });

  test('is no matter of another person', async () => {
    const { person, id } = await due();
    const other = await world.as('Other');
    expect((await cancel(other)).status).toBe(404);
    expect((await read(person, id)).cancelAtPeriodEnd).toBe(false);
  });
});

describe('a change of plan', () => {
  test('ends the earlier subscription with the later one, never two at once', async () => {
    const person = await world.as('Changer');
    const first = await subscribe(person, 'starter');
    expect((await planOf(db, person.user.id)).deployments).toBe(5);
    const payments = await Promise.all([pay(person, 'professional'), pay(person, 'enterprise')]);
    const answers = await Promise.all(
      payments.map(({ paymentIntentId }, n) =>
        record(person, { planTier: n ? 'enterprise' : 'professional', paymentIntentId }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const all = await person.rpc.billing.subscriptions.query();
    expect(all.map(({ status }) => status).sort()).toEqual(['active', 'cancelled', 'cancelled']);
    expect((await read(person, first.id)).status).toBe('cancelled');
    expect(await chargedTo(db, person.user.id)).toEqual({ payments: 3, booked: 2900 + 9900 + 29_900 });
    await renewed(first.id);
    expect((await chargedTo(db, person.user.id)).payments).toBe(3);
  });

  test('to the same plan, paid twice, is both months', async () => {
    const person = await world.as('Twice');
    const [first, second] = await Promise.all([pay(person, 'starter'), pay(person, 'starter')]);
    const one = await record(person, { planTier: 'starter', paymentIntentId: first?.paymentIntentId });
    const two = await record(person, { planTier: 'starter', paymentIntentId: second?.paymentIntentId });
    const { renewalDate } = one.body as Subscription;
    expect(two.body).toMatchObject({ status: 'active', renewalDate: await nextOf(renewalDate) });
  });
});

test('access ends at its instant by the clock of the database', async () => {
  const { id, userId, person } = await due();
  await db.transaction().execute(async (trx) => {
    await sql`update users set trial_end_date = now() - interval '1 second' where id = ${userId}`.execute(
      trx,
    );
    const endsIn = (interval: string) =>
      sql`update subscriptions set renewal_date = now() + ${interval}::interval where id = ${id}`.execute(
        trx,
      );
    await endsIn('1 second');
    expect(await mayInstall(trx, userId)).toBe(true);
    await endsIn('-1 second');
    expect(await mayInstall(trx, userId)).toBe(false);
  });
  expect(await person.rpc.billing.activeSubscription.query()).toBeNull();
});
