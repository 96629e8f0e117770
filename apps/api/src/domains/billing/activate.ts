import type { Subscription } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { notFound } from '../../core/errors.ts';
import { keepCard } from './customers.ts';
import { giveUpCard } from './former-cards.ts';
import { assertPays, type Requested, requestedBy } from './intents.ts';
import { recordPayment } from './payments.ts';
import { type Intent, labelOf, type PaymentProvider } from './provider.ts';
import { ENDED, lockLive, readSubscription, renewalUnderWay, type SubscriptionRow } from './subscriptions.ts';

export interface Activation {
  subscription: Subscription;
  /** The payment was used before, for this subscription. */
  existing: boolean;
}

/**
 * Makes a subscription of a payment, once, in the place of an earlier one: the browser and the provider's events both
 * come here, in any order and at the same time. Where somebody paid for several plans, the payment that was made last
 * decides, whichever we hear of last: an earlier one makes a subscription that is over as it begins. `intent` is what
 * the provider says of the payment; null where it was not asked, since the payment had been used. Throws 404, 402
 * PAYMENT_NOT_COMPLETED, 422 PLAN_MISMATCH, and 503 while an earlier subscription is being renewed.
 */
export async function activate(
  trx: Kysely<Database>,
  { id, userId }: Pick<Requested, 'id' | 'userId'>,
  { intent, provider }: { intent: Intent | null; provider: PaymentProvider },
): Promise<Activation> {
  const live = await lockLive(trx, userId);
  const requested = await requestedBy(trx, userId).where('id', '=', id).executeTakeFirst();
  if (!requested) throw notFound();
  if (requested.subscriptionId !== null) {
    return { subscription: await readSubscription(trx, userId, requested.subscriptionId), existing: true };
  }
  if (!intent) throw notFound();
  assertPays(intent, requested, provider.livemode);
  if (live?.charging) throw renewalUnderWay();
  const isOlder = await wasOvertaken(trx, live, intent);
  const isLate = isOlder && live?.planTier !== requested.planTier;
  const period = isLate ? FROM_NOW : await replace(trx, live, requested);
  const subscriptionId = await begin(trx, requested, { period, isLate });
  const { paidAt, card } = intent;
  await trx.updateTable('paymentIntents').set({ subscriptionId, paidAt }).where('id', '=', id).execute();
  if (card && isOlder) await giveUpCard(trx, provider, card.id);
  else if (card) await keepCard(trx, userId, { provider, card });
  const { amount } = requested;
  const paymentMethod = labelOf(card);
  await recordPayment(trx, { userId, subscriptionId, intentId: id, amount, paymentMethod, failure: '' });
  return { subscription: await readSubscription(trx, userId, subscriptionId), existing: false };
}

/** Whether the plan that there is by now was paid for after this payment had been made. */
async function wasOvertaken(
  trx: Kysely<Database>,
  live: SubscriptionRow | undefined,
  { paidAt }: Intent,
): Promise<boolean> {
  if (!live) return false;
  const later = await trx
    .selectFrom('paymentIntents')
    .select('id')
    .where('userId', '=', live.userId)
    .where('planTier', '=', live.planTier)
    .where('subscriptionId', 'is not', null)
    .where('renews', 'is', null)
    .where('paidAt', '>', paidAt)
    .executeTakeFirst();
  return later !== undefined;
}

/** When a subscription begins to count, and the day of the month on which it renews. */
interface Period {
  from: RawBuilder<string>;
  anchorDay: RawBuilder<number>;
}

const FROM_NOW: Period = {
  from: sql<string>`now()`,
  anchorDay: sql<number>`extract(day from now() at time zone 'UTC')::int`,
};

/**
 * Ends the earlier subscription, and gives the period of the later one: from now, or from the end of a period of the
 * same plan that is paid already, so that who paid twice has both.
 */
async function replace(
  trx: Kysely<Database>,
  live: SubscriptionRow | undefined,
  { planTier }: Requested,
): Promise<Period> {
  if (!live) return FROM_NOW;
  const { isRunning } = await trx
    .updateTable('subscriptions')
    .set(ENDED)
    .where('userId', '=', live.userId)
    .where('id', '=', live.id)
    .returning(sql<boolean>`renewal_date > now()`.as('isRunning'))
    .executeTakeFirstOrThrow();
  if (live.planTier !== planTier || !isRunning) return FROM_NOW;
  return {
    from: sql<string>`${live.renewalDate}::timestamptz`,
    anchorDay: sql<number>`${live.anchorDay}::int`,
  };
}

async function begin(
  trx: Kysely<Database>,
  { userId, planTier, amount }: Requested,
  { period: { from, anchorDay }, isLate }: { period: Period; isLate: boolean },
): Promise<string> {
  const { id } = await trx
    .insertInto('subscriptions')
    .values({
      ...{ userId, planTier, amount, anchorDay },
      ...(isLate ? ENDED : { status: 'active' }),
      renewalDate: sql<string>`next_renewal(${from}, ${anchorDay})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
