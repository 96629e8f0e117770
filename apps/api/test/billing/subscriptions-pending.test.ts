import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { unavailable } from '../../src/core/errors.ts';
import { mayInstall, planOf } from '../../src/domains/plans/plan.ts';
import { chat, wordsOf } from '../assistant/assistant-world.ts';
import type { Person } from '../world.ts';
import { CARDS, chargedTo, makeDue } from './billing-fixtures.ts';
import { read, subscriptionsWorld } from './subscriptions-world.ts';

const here = subscriptionsWorld();

const liveOf = ({ rpc }: Pick<Person, 'rpc'>) => rpc.billing.activeSubscription.query();
const renewing = { status: 'active', renewing: true };

/** The provider, which does not answer to a charge: it may have made it before. */
function away({ charged = false } = {}) {
  return here.charging(async (one) => {
    if (charged) await here.provider.charge(one);
    throw unavailable();
  }).other;
}

/** Someone whose renewal was asked for, and of which nothing is known. */
async function asked(options: { charged?: boolean; card?: string } = {}) {
  const someone = await here.due(options.card ?? CARDS.success, 'professional');
  await expect(here.renewed(someone.id, away(options))).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  return someone;
}

/** As if the provider had been asked so long ago. */
const askedAgo = (id: string, minutes: number) =>
  sql`update subscriptions set charge_asked_at = now() - make_interval(mins => ${minutes}) where id = ${id}`.execute(
    here.db,
  );

describe('a renewal that is not decided', () => {
  test.each([
    ['since nobody asked', () => here.due(CARDS.success, 'professional')],
    ['since the provider does not answer', () => asked()],
  ])('leaves the plan as it was, and says so, %s', async (_why, waiting) => {
    const { person, id, userId } = await waiting();
    await sql`update users set trial_end_date = now() where id = ${userId}`.execute(here.db);
    await makeDue(here.db, id, '2 days');
    expect(await liveOf(person)).toMatchObject({ id, ...renewing });
    expect((await person.rest('GET /api/subscriptions/active')).body).toMatchObject({ id, ...renewing });
    expect(await mayInstall(here.world.deps, userId)).toBe(true);
    expect((await planOf(here.world.deps, userId)).name).toBe('Professional');
    await here.renewed(id);
    expect(await liveOf(person)).toMatchObject({ id, status: 'active', renewing: false });
    expect((await chargedTo(here.db, userId)).payments).toBe(2);
  });

  test('gives access for seven days, and is still renewed after that', async () => {
    const { id, userId } = await asked();
    await sql`update users set trial_end_date = now() where id = ${userId}`.execute(here.db);
    await makeDue(here.db, id, '6 days 23 hours');
    expect(await mayInstall(here.world.deps, userId)).toBe(true);
    await makeDue(here.db, id, '7 days');
    expect(await mayInstall(here.world.deps, userId)).toBe(false);
    await here.renewed(id);
    expect(await mayInstall(here.world.deps, userId)).toBe(true);
  });

  test('is told by the assistant as what it is', async () => {
    const { person, renewalDate } = await here.due();
    const session = (
      await person.rest('POST /api/assistant/sessions', { body: { resourceScope: 'general' } })
    ).body as { id: string };
    const asking = { message: 'what are the limits of my plan?', resourceScope: 'general' };
    const answer = await chat(here.world, person, session.id, asking);
    expect(wordsOf(await answer.rest())).toContain(
      `its renewal, due on ${renewalDate.slice(0, 10)}, isn’t confirmed yet. Your plan stays active in the meantime.`,
    );
  });

  test('is no reason to pay for the same plan', async () => {
    const { person } = await here.due(CARDS.success, 'professional');
    const body = { planTier: 'professional' };
    expect(await person.rest('POST /api/create-subscription-payment', { body })).toMatchObject({
      ...{ status: 409, body: { code: 'ALREADY_SUBSCRIBED' } },
    });
  });

  test('ends the access as soon as it is declined', async () => {
    const { person, id, userId } = await asked({ card: CARDS.renewalDeclined });
    await sql`update users set trial_end_date = now() where id = ${userId}`.execute(here.db);
    await here.renewed(id);
    expect(await liveOf(person)).toMatchObject({ status: 'past_due', renewing: false });
    expect(await mayInstall(here.world.deps, userId)).toBe(false);
  });
});

describe('cancelling while a renewal is not decided', () => {
  test('ends what nobody was asked to charge at once', async () => {
    const { person, id, userId } = await here.due();
    expect(await person.rpc.billing.cancel.mutate()).toMatchObject({ id, status: 'cancelled' });
    expect(await liveOf(person)).toBeNull();
    await here.renewed(id);
    expect((await chargedTo(here.db, userId)).payments).toBe(1);
  });

  test('does not make a charge that never reached the provider', async () => {
    const { person, id, userId } = await asked();
    expect(await person.rpc.billing.cancel.mutate()).toMatchObject({ ...renewing, cancelAtPeriodEnd: true });
    // It may still be on its way.
    await here.renewed(id);
    expect(await liveOf(person)).toMatchObject({ id, ...renewing, cancelAtPeriodEnd: true });
    await askedAgo(id, 11);
    await here.renewed(id);
    expect(await liveOf(person)).toBeNull();
    expect((await read(person, id)).status).toBe('cancelled');
    expect(await chargedTo(here.db, userId)).toEqual({ payments: 1, booked: 9900 });
  });

  test('leaves the month that was charged already, and it ends with that', async () => {
    const { person, id, userId, renewalDate } = await asked({ charged: true });
    await person.rpc.billing.cancel.mutate();
    await askedAgo(id, 11);
    await here.renewed(id);
    expect(await liveOf(person)).toMatchObject({
      ...{ id, status: 'active', renewing: false, cancelAtPeriodEnd: true },
      renewalDate: await here.nextOf(renewalDate),
    });
    expect(await chargedTo(here.db, userId)).toEqual({ payments: 2, booked: 2 * 9900 });
  });

  test('ends what was declined already, and tries no more', async () => {
    const { person, id } = await asked({ charged: true, card: CARDS.renewalDeclined });
    await person.rpc.billing.cancel.mutate();
    await here.renewed(id);
    expect(await read(person, id)).toMatchObject({ status: 'cancelled', nextAttempt: null });
    expect(await liveOf(person)).toBeNull();
  });

  test('leaves what is left of the period when the charge is declined ahead of its end', async () => {
    const { person, id } = await here.due(CARDS.renewalDeclined);
    await makeDue(here.db, id, '-30 minutes');
    await expect(here.renewed(id, away({ charged: true }))).rejects.toThrow();
    await person.rpc.billing.cancel.mutate();
    await here.renewed(id);
    expect(await liveOf(person)).toMatchObject({
      ...{ id, status: 'active', renewing: false, cancelAtPeriodEnd: true, failure: '', nextAttempt: null },
    });
    await makeDue(here.db, id);
    expect(await liveOf(person)).toBeNull();
  });

  test('can be taken back as long as it is not decided', async () => {
    const { person, id, userId } = await asked();
    await person.rpc.billing.cancel.mutate();
    expect(await person.rpc.billing.resume.mutate()).toMatchObject({ ...renewing, cancelAtPeriodEnd: false });
    await here.renewed(id);
    expect((await chargedTo(here.db, userId)).payments).toBe(2);
  });
});
