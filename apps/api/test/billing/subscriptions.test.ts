import type { Subscription } from '@nephos/contracts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { mayInstall, planOf } from '../../src/domains/plans/plan.ts';
import type { Person } from '../world.ts';
import { CARDS, chargedTo, makeDue, pay, record, subscribe } from './billing-fixtures.ts';
import { read, subscriptionsWorld } from './subscriptions-world.ts';

const here = subscriptionsWorld();

describe('cancelling', () => {
  const cancel = (person: Person) => person.rest('POST /api/subscriptions/cancel');
  const resume = (person: Person) => person.rest('POST /api/subscriptions/resume');

  test('ends with the period, without a charge, and not before', async () => {
    const person = await here.world.as('Canceller');
    const { id, renewalDate } = await subscribe(person);
    expect(await cancel(person)).toMatchObject({
      status: 200,
      body: { id, status: 'active', cancelAtPeriodEnd: true, renewalDate },
    });
    expect((await cancel(person)).body).toMatchObject({ id, cancelAtPeriodEnd: true });
    await makeDue(here.db, id, '-30 minutes');
    await here.renewed(id);
    expect((await read(person, id)).status).toBe('active');
    expect(await person.rpc.billing.activeSubscription.query()).not.toBeNull();
    await makeDue(here.db, id);
    await here.renewed(id);
    expect((await read(person, id)).status).toBe('cancelled');
    expect(await chargedTo(here.db, person.user.id)).toEqual({ payments: 1, booked: 2900 });
    expect(await cancel(person)).toMatchObject({ status: 404 });
  });

  test('can be taken back until then', async () => {
    const { person, id } = await here.due();
    await makeDue(here.db, id, '-2 hours');
    await person.rpc.billing.cancel.mutate();
    expect(await resume(person)).toMatchObject({ status: 200, body: { id, cancelAtPeriodEnd: false } });
    expect(await resume(person)).toMatchObject({ status: 200, body: { id, cancelAtPeriodEnd: false } });
    await cancel(person);
    await makeDue(here.db, id);
    expect(await resume(person)).toMatchObject({
      status: 409,
      body: {
        code: 'PERIOD_ENDED',
        message: 'Your subscription has ended. Choose a plan to subscribe again.',
      },
    });
  });

  test('ends at once what is past due', async () => {
    const { person, id } = await here.due(CARDS.renewalDeclined);
    await here.renewed(id);
    expect(await person.rpc.billing.cancel.mutate()).toMatchObject({
      id,
      status: 'cancelled',
      nextAttempt: null,
    });
    expect(await person.rpc.billing.activeSubscription.query()).toBeNull();
  });

  test('is no matter of another person', async () => {
    const { person, id } = await here.due();
    const other = await here.world.as('Other');
    expect((await cancel(other)).status).toBe(404);
    expect((await read(person, id)).cancelAtPeriodEnd).toBe(false);
  });
});

describe('a change of plan', () => {
  test('ends the earlier subscription with the later one, never two at once', async () => {
    const person = await here.world.as('Changer');
    const first = await subscribe(person, 'starter');
    expect((await planOf(here.world.deps, person.user.id)).deployments).toBe(5);
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
    expect(await chargedTo(here.db, person.user.id)).toEqual({ payments: 3, booked: 2900 + 9900 + 29_900 });
    await here.renewed(first.id);
    expect((await chargedTo(here.db, person.user.id)).payments).toBe(3);
  });

  test('to the same plan, paid twice, is both months', async () => {
    const person = await here.world.as('Twice');
    const [first, second] = await Promise.all([pay(person, 'starter'), pay(person, 'starter')]);
    const one = await record(person, { planTier: 'starter', paymentIntentId: first?.paymentIntentId });
    const two = await record(person, { planTier: 'starter', paymentIntentId: second?.paymentIntentId });
    const { renewalDate } = one.body as Subscription;
    expect(two.body).toMatchObject({ status: 'active', renewalDate: await here.nextOf(renewalDate) });
  });

  test('to the same plan keeps the day of renewal, also where the month has no such day', async () => {
    const person = await here.world.as('Anchored');
    const [first, second] = await Promise.all([pay(person, 'starter'), pay(person, 'starter')]);
    const one = await record(person, { planTier: 'starter', paymentIntentId: first?.paymentIntentId });
    await sql`update subscriptions set anchor_day = 31, renewal_date = '2127-02-28T10:00:00Z'
      where id = ${(one.body as Subscription).id}`.execute(here.db);
    const two = await record(person, { planTier: 'starter', paymentIntentId: second?.paymentIntentId });
    expect(two.body).toMatchObject({ status: 'active', renewalDate: '2127-03-31T10:00:00.000Z' });
  });
});

test('access ends at its instant by the clock of the database, and the limits with it', async () => {
  const { id, userId, person } = await here.due();
  await subscribe(person, 'professional');
  const [{ id: latest } = { id }] = await person.rpc.billing.subscriptions.query();
  await person.rpc.billing.cancel.mutate();
  await here.db.transaction().execute(async (trx) => {
    await sql`update users set trial_end_date = now() - interval '1 second' where id = ${userId}`.execute(
      trx,
    );
    const endsIn = (interval: string) =>
      sql`update subscriptions set renewal_date = now() + ${interval}::interval where id = ${latest}`.execute(
        trx,
      );
    const within = { ...here.world.deps, db: trx };
    await endsIn('1 second');
    expect(await mayInstall(within, userId)).toBe(true);
    expect((await planOf(within, userId)).name).toBe('Professional');
    await endsIn('-1 millisecond');
    expect(await mayInstall(within, userId)).toBe(false);
    expect((await planOf(within, userId)).name).toBe('Starter');
  });
  await makeDue(here.db, latest);
  expect(await person.rpc.billing.activeSubscription.query()).toBeNull();
});
