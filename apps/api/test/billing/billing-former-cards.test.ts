import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetFormerCards } from '../../src/domains/billing/former-cards.ts';
import { renew } from '../../src/domains/billing/renewal.ts';
import type { Person } from '../world.ts';
import { CARDS, makeDue, record } from './billing-fixtures.ts';
import { HAD, planOf, stripeWorlds } from './webhooks-world.ts';

const here = stripeWorlds();

/** Ends of the numbers of the cards that are attached to someone at Stripe. */
const attachedTo = (customer: string) => here.stripe.cardsOf(customer).map((number) => number.slice(-4));

/** The same, once Stripe was told what it was told in the background. */
function settled(customer: string, cards: string[]) {
  return vi.waitFor(() => expect(attachedTo(customer)).toEqual(cards), { timeout: 60_000 });
}

async function subscribed(person: Person, planTier: 'starter' | 'professional', card: string) {
  const paid = await here.payFor(person, planTier, card);
  const answer = await record(person, { planTier, paymentIntentId: paid.paymentIntentId });
  expect(answer.status).toBe(201);
  return { customer: paid.intent.customer, id: (answer.body as { id: string }).id };
}

const kept = async () => (await here.db.selectFrom('formerCards').selectAll().execute()).length;

/** As if the last try had been an hour ago. */
const anHourLater = () => sql`update former_cards set tried_at = now() - interval '1 hour'`.execute(here.db);

beforeEach(async () => expect(await kept()).toBe(0));
afterEach(() => void vi.restoreAllMocks());

describe('a card that another takes the place of', () => {
  test('is forgotten at the provider, and the other is charged', async () => {
    const ada = await here.worlds[0].as('Ada');
    const { customer } = await subscribed(ada, 'starter', CARDS.success);
    expect(attachedTo(customer)).toEqual(['4242']);
    const { id } = await subscribed(ada, 'professional', CARDS.mastercard);
    await settled(customer, ['4444']);
    await vi.waitFor(async () => expect(await kept()).toBe(0), { timeout: 60_000 });
    await makeDue(here.db, id);
    await renew({ db: here.db, provider: here.provider }, id);
    expect(await ada.rpc.billing.activeSubscription.query()).toMatchObject({ status: 'active' });
  });

  test('is forgotten later where the provider does not answer, and the plan is active all the same', async () => {
    const bob = await here.worlds[0].as('Bob');
    const { customer } = await subscribed(bob, 'starter', CARDS.success);
    const forget = vi.spyOn(here.provider, 'forgetCard').mockRejectedValue(new Error('away'));
    await subscribed(bob, 'professional', CARDS.mastercard);
    await vi.waitFor(() => expect(forget).toHaveBeenCalledTimes(1), { timeout: 60_000 });
    expect(await planOf(bob)).toBe('professional');
    forget.mockRestore();
    // Not at each payment of anybody, while the provider is away.
    await Promise.all(here.worlds.map(({ deps }) => deps.domains.billing.catchUp()));
    expect(attachedTo(customer)).toEqual(['4242', '4444']);
    await anHourLater();
    await Promise.all(here.worlds.map(({ deps }) => deps.domains.billing.catchUp()));
    expect(attachedTo(customer)).toEqual(['4444']);
  });

  test('holds up no other that is forgotten', async () => {
    const { forgetCard } = here.provider;
    const add = (id: string) =>
      here.db.insertInto('formerCards').values({ id, provider: 'stripe', livemode: false }).execute();
    for (const id of ['pm_first', 'pm_second', 'pm_third']) await add(id);
    vi.spyOn(here.provider, 'forgetCard').mockImplementation((id) =>
      id === 'pm_second' ? Promise.reject(new Error('out of the ordinary')) : forgetCard(id),
    );
    await here.worlds[0].deps.domains.billing.forgetFormerCards();
    const left = await here.db.selectFrom('formerCards').select('id').execute();
    expect(left).toEqual([{ id: 'pm_second' }]);
    await here.db.deleteFrom('formerCards').execute();
  });

  test('is left to the next run where there are more than a thousand, however that is planned', async () => {
    vi.spyOn(here.provider, 'forgetCard').mockResolvedValue();
    await here.db.transaction().execute(async (trx) => {
      await sql`
        insert into former_cards (id, provider, livemode)
        select 'pm_of_many_' || n, 'stripe', false from generate_series(1, 1100) n`.execute(trx);
      for (const method of [
        'hashagg',
        'hashjoin',
        'mergejoin',
        'sort',
        'material',
        'indexscan',
        'bitmapscan',
      ]) {
        await sql.raw(`set local enable_${method} = off`).execute(trx);
      }
      await forgetFormerCards({ db: trx, provider: here.provider, log: here.worlds[0].deps.log });
    });
    expect(await kept()).toBe(100);
    await here.db.deleteFrom('formerCards').execute();
  });

  test('is forgotten by the provider that knows it, and by no other', async () => {
    const foreign = [
      { id: 'pm_sandbox_1', provider: 'sandbox', livemode: false } as const,
      { id: 'pm_live', provider: 'stripe', livemode: true } as const,
    ];
    await here.db.insertInto('formerCards').values(foreign).execute();
    const forget = vi.spyOn(here.provider, 'forgetCard');
    await here.worlds[0].deps.domains.billing.forgetFormerCards();
    expect(forget).not.toHaveBeenCalled();
    await here.db.deleteFrom('formerCards').execute();
  });
});

test.each([
  ['another plan', 'professional'],
  ['the same plan', 'starter'],
] as const)(
  'the card of a payment that is told of after a later one for %s is forgotten, and the one that is charged stays',
  async (_what, plan) => {
    const cleo = await here.worlds[0].as(`Cleo-${plan}`);
    const late = await here.payFor(cleo, 'starter', CARDS.success);
    const last = await here.payFor(cleo, plan, CARDS.mastercard);
    if (!late.intent.latest_charge) throw new Error('It was paid.');
    late.intent.latest_charge.created -= 60;
    for (const { intent } of [last, late]) {
      expect(await here.deliver(here.succeeded(intent))).toMatchObject(HAD);
    }
    await settled(last.intent.customer, ['4444']);
    await vi.waitFor(async () => expect(await kept()).toBe(0), { timeout: 60_000 });
    expect(await planOf(cleo)).toBe(plan);
  },
);
