import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { mayInstall, planOf } from '../../src/domains/plans/plan.ts';
import { CARDS, chargedTo, makeDue, subscribe } from './billing-fixtures.ts';
import { DAY, newest, read, subscriptionsWorld } from './subscriptions-world.ts';

const here = subscriptionsWorld();

/** Milliseconds from one instant to another. */
const between = (from: string, to: string | null) => Date.parse(to ?? '') - Date.parse(from);

describe('a declined renewal', () => {
  test.each([
    [CARDS.renewalDeclined, 'Your card was declined.'],
    [CARDS.asksAlways, 'Your card was declined. This transaction requires authentication.'],
  ])('of %s is tried again after 1, 3 and 7 days, and then the subscription ends', async (card, failure) => {
    const { person, id, userId, renewalDate } = await here.due(card);
    let since = '';
    for (const days of [1, 3, 7]) {
      await here.renewed(id);
      const state = await read(person, id);
      expect(state).toMatchObject({ status: 'past_due', failure, renewalDate });
      since ||= (await newest(person))?.paymentDate ?? '';
      expect(between(since, state.nextAttempt)).toBeCloseTo(days * DAY, -1);
      expect(await person.rpc.billing.activeSubscription.query()).toEqual(state);
      expect(await newest(person)).toMatchObject({ status: 'failed', failure, amount: 29 });
      expect((await planOf(here.world.deps, userId)).name).toBe('Starter');
      // Before its time nothing is tried.
      await here.renewed(id);
      expect(await read(person, id)).toEqual(state);
      since = await passDays(id, days === 1 ? 1 : days === 3 ? 2 : 4, since);
    }
    await here.renewed(id);
    expect(await read(person, id)).toMatchObject({ status: 'cancelled', failure: '', nextAttempt: null });
    expect(await person.rpc.billing.activeSubscription.query()).toBeNull();
    expect((await person.rpc.billing.payments.query()).map(({ status }) => status)).toEqual([
      ...Array(4).fill('failed'),
      'completed',
    ]);
    await here.renewed(id);
    expect(await chargedTo(here.db, userId)).toEqual({ payments: 1, booked: 2900 });
  });

  /** Lets time pass for a subscription that is past due; gives the instant of its first decline, as that is then. */
  async function passDays(id: string, days: number, since: string): Promise<string> {
    await sql`
      update subscriptions set next_attempt = next_attempt - make_interval(days => ${days}),
        past_due_since = past_due_since - make_interval(days => ${days}) where id = ${id}`.execute(here.db);
    return new Date(Date.parse(since) - days * DAY).toISOString();
  }

  test('bars installing when the period is over, and is forgotten when another card pays', async () => {
    const { person, id, userId } = await here.due(CARDS.renewalDeclined);
    await sql`update users set trial_end_date = now() where id = ${userId}`.execute(here.db);
    await makeDue(here.db, id, '-30 minutes');
    await here.renewed(id);
    expect((await read(person, id)).status).toBe('past_due');
    expect(await mayInstall(here.world.deps, userId)).toBe(true);
    await makeDue(here.db, id);
    expect(await mayInstall(here.world.deps, userId)).toBe(false);
    const anew = await subscribe(person, 'starter', CARDS.mastercard);
    expect(await mayInstall(here.world.deps, userId)).toBe(true);
    expect((await person.rpc.billing.activeSubscription.query())?.id).toBe(anew.id);
    expect((await read(person, id)).status).toBe('cancelled');
    await makeDue(here.db, anew.id);
    await here.renewed(anew.id);
    expect(await newest(person)).toMatchObject({
      status: 'completed',
      paymentMethod: 'Mastercard ending 4444',
    });
  });

  test('is one without a card, and one whose card has expired', async () => {
    const { person, id, userId } = await here.due();
    await sql`update sandbox_cards set expiry_year = 2020 where customer_id =
      (select customer_id from payment_customers where user_id = ${userId})`.execute(here.db);
    await here.renewed(id);
    expect(await read(person, id)).toMatchObject({ status: 'past_due', failure: 'Your card has expired.' });
    const other = await here.due();
    await sql`update payment_customers set payment_method_id = null where user_id = ${other.userId}`.execute(
      here.db,
    );
    await here.renewed(other.id);
    expect(await newest(other.person)).toMatchObject({
      ...{ status: 'failed', failure: 'There is no saved card to charge.', paymentMethod: 'No card' },
    });
  });

  test('is followed by one that succeeds, and the day of renewal stays', async () => {
    const { person, id, renewalDate } = await here.due(CARDS.renewalDeclined);
    await here.renewed(id);
    await sql`update sandbox_cards set test_card = 'visa'`.execute(here.db);
    await passDays(id, 1, renewalDate);
    await here.renewed(id);
    expect(await read(person, id)).toMatchObject({
      ...{ status: 'active', failure: '', nextAttempt: null, renewalDate: await here.nextOf(renewalDate) },
    });
  });
});
