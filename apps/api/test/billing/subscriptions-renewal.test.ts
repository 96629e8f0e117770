import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { unavailable } from '../../src/core/errors.ts';
import { chargedTo, makeDue, pay, record } from './billing-fixtures.ts';
import { DAY, read, subscriptionsWorld } from './subscriptions-world.ts';

const here = subscriptionsWorld();

describe('a renewal', () => {
  test('is charged once, and goes a month on', async () => {
    const { person, id, userId, renewalDate } = await here.due();
    await here.renewed(id);
    await here.renewed(id);
    expect(await read(person, id)).toMatchObject({
      ...{ status: 'active', renewing: false, failure: '', nextAttempt: null },
      renewalDate: await here.nextOf(renewalDate),
    });
    expect(await person.rpc.billing.payments.query()).toMatchObject([
      { amount: 29, status: 'completed', paymentMethod: 'Visa ending 4242' },
      { amount: 29, status: 'completed' },
    ]);
    expect(await chargedTo(here.db, userId)).toEqual({ payments: 2, booked: 5800 });
  });

  test.each([
    ['-59 minutes', true],
    ['-61 minutes', false],
  ])('%s after the end of the period is charged: %s', async (ago, charged) => {
    const { person, id, userId } = await here.due();
    await makeDue(here.db, id, ago);
    await here.renewed(id);
    expect((await chargedTo(here.db, userId)).payments).toBe(charged ? 2 : 1);
    // Who pays is never without a plan.
    expect(await person.rpc.billing.activeSubscription.query()).not.toBeNull();
  });

  test('by ten processes at once is charged once', async () => {
    const { id, userId } = await here.due();
    await Promise.all(Array.from({ length: 10 }, () => here.renewed(id)));
    expect(await chargedTo(here.db, userId)).toEqual({ payments: 2, booked: 5800 });
    const { rows } = await sql`
      select 1 from sandbox_intents where metadata->>'userId' = ${userId} and status = 'succeeded'`.execute(
      here.db,
    );
    expect(rows).toHaveLength(2);
  });

  test('whose process is killed after the charge is made good, and not charged again', async () => {
    const { person, id, userId, renewalDate } = await here.due();
    const { paymentIntentId } = await pay(person, 'enterprise');
    const { asked, other } = here.charging(async (one) => {
      await here.provider.charge(one);
      throw new Error('killed');
    });
    await expect(here.renewed(id, other)).rejects.toThrow('killed');
    expect(await chargedTo(here.db, userId)).toEqual({ payments: 1, booked: 2900 });
    // Until that is known, nothing else happens to what may be paid already.
    const busy = { status: 503, body: { message: expect.stringMatching(/being renewed/) } };
    expect(await record(person, { planTier: 'enterprise', paymentIntentId })).toMatchObject(busy);
    const body = { planTier: 'professional' };
    expect(await person.rest('POST /api/create-subscription-payment', { body })).toMatchObject(busy);
    expect(await person.rest('DELETE /api/billing/card')).toMatchObject({ status: 409 });
    const { asked: again, other: alive } = here.charging((one) => here.provider.charge(one));
    await here.renewed(id, alive);
    expect(again).toEqual([{ ...asked[0], maybeMade: true }]);
    expect(asked[0]).toMatchObject({ key: `renewal-${id}-${renewalDate}-1`, maybeMade: false, amount: 2900 });
    expect(await chargedTo(here.db, userId)).toEqual({ payments: 2, booked: 5800 });
    expect((await record(person, { planTier: 'enterprise', paymentIntentId })).status).toBe(201);
  });

  test('of which the provider says nothing is tried again, as the same', async () => {
    const { person, id, userId } = await here.due();
    const before = await read(person, id);
    const { asked, other } = here.charging(() => Promise.reject(unavailable()));
    await expect(here.renewed(id, other)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await expect(here.renewed(id, other)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    expect(await read(person, id)).toEqual(before);
    expect(await chargedTo(here.db, userId)).toEqual({ payments: 1, booked: 2900 });
    await here.renewed(id);
    expect(await chargedTo(here.db, userId)).toEqual({ payments: 2, booked: 5800 });
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
    expect(await here.nextOf(from, day)).toBe(next);
  });

  test('does not depend on where the database is', async () => {
    await here.db.transaction().execute(async (trx) => {
      await sql`set local timezone = 'Pacific/Kiritimati'`.execute(trx);
      const { rows } = await sql<{ next: string }>`
        select next_renewal('2127-01-31T23:30:00Z', 31) as next`.execute(trx);
      expect(rows[0]?.next).toBe('2127-02-28T23:30:00.000Z');
    });
  });

  test('is the next one to come after a long time: months that nobody had are not charged', async () => {
    const { person, id, userId } = await here.due();
    await makeDue(here.db, id, '100 days');
    await here.renewed(id);
    await here.renewed(id);
    expect(await chargedTo(here.db, userId)).toEqual({ payments: 2, booked: 5800 });
    const { renewalDate } = await read(person, id);
    expect(Date.parse(renewalDate)).toBeGreaterThan(Date.now());
    expect(Date.parse(renewalDate)).toBeLessThan(Date.now() + 32 * DAY);
  });
});
