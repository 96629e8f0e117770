import { PLANS, RENEWAL_RETRY_DAYS } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { recordOwnWork } from '../../platform/audit.ts';
import { raiseAlert, recoverAlerts } from '../alerts/raise-alert.ts';
import { assertRenews } from './intents.ts';
import { recordPayment } from './payments.ts';
import { type Card, type Charged, labelOf, type PaymentProvider } from './provider.ts';
import { ENDED, endIfOver, lockLive, NOT_CHARGING, type SubscriptionRow } from './subscriptions.ts';

/**
 * Writes down what came of the charge with this key, once: the renewal and the provider's events both come here. A
 * renewal goes to the same day of the next month on which the subscription began, or to its last day where there is
 * no such day (`next_renewal` in migration 0015): the 31st of January, the 28th of February, the 31st of March. Throws
 * 422 PLAN_MISMATCH for money that is not that of this renewal.
 */
export async function concludeRenewal(
  trx: Kysely<Database>,
  provider: PaymentProvider,
  { key, charged, card }: { key: string; charged: Charged; card: Card | null },
): Promise<void> {
  const found = await trx
    .selectFrom('subscriptions')
    .select(['userId'])
    .where('charging', '=', key)
    .executeTakeFirst();
  if (!found) return;
  const subscription = await lockLive(trx, found.userId);
  if (subscription?.charging !== key) return;
  if (charged.status === 'succeeded') assertRenews(charged.intent, subscription, provider.livemode);
  await record(trx, provider, { subscription, charged, card });
  const { id, userId, planTier, amount } = subscription;
  await recordOwnWork(trx, {
    ownerId: userId,
    procedure: 'billing.renew',
    subject: { kind: 'subscription', id, name: planTier },
    after: { status: charged.status, amount },
  });
  if (charged.status === 'succeeded') await prolong(trx, subscription);
  else await postpone(trx, subscription, charged.failure);
}

async function record(
  trx: Kysely<Database>,
  provider: PaymentProvider,
  { subscription, charged, card }: { subscription: SubscriptionRow; charged: Charged; card: Card | null },
): Promise<void> {
  const { id: subscriptionId, userId, planTier, amount } = subscription;
  const succeeded = charged.status === 'succeeded';
  const intentId = succeeded ? charged.intent.id : charged.intentId;
  if (intentId !== null) {
    await trx
      .insertInto('paymentIntents')
      .values({
        ...{ id: intentId, userId, planTier, amount, provider: provider.info.name },
        ...{ renews: subscriptionId, subscriptionId },
      })
      .execute();
  }
  await recordPayment(trx, {
    ...{ userId, subscriptionId, intentId, amount },
    paymentMethod: labelOf(card ?? (succeeded ? charged.intent.card : null)),
    failure: succeeded ? '' : charged.failure,
  });
}

/** Lets a subscription go on to its next period, with nothing owed. */
export async function prolong(trx: Kysely<Database>, { userId, id }: SubscriptionRow): Promise<void> {
  await trx
    .updateTable('subscriptions')
    .set({
      ...{ status: 'active', failedAttempts: 0, failure: '', pastDueSince: null, nextAttempt: null },
      ...NOT_CHARGING,
      renewalDate: sql<string>`next_renewal(renewal_date, anchor_day)`,
    })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute();
  await recoverAlerts(trx, { ownerId: userId, kinds: ['payment-failed'], subjectId: id });
}

/** Plans the next attempt. What was cancelled while it was charged is not tried again: it ends with its period. */
async function postpone(trx: Kysely<Database>, subscription: SubscriptionRow, failure: string) {
  const { userId, id, planTier, cancelAtPeriodEnd } = subscription;
  await trx
    .updateTable('subscriptions')
    .set(cancelAtPeriodEnd ? NOT_CHARGING : nextAttemptOf(subscription, failure))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute();
  await raiseAlert(trx, {
    ...{ ownerId: userId, kind: 'payment-failed', path: '/billing' },
    subject: { kind: 'subscription', id, name: PLANS[planTier].name },
    text: `The renewal of your plan could not be charged. ${failure}`,
  });
  await endIfOver(trx, subscription);
}

/** When the charge is tried next: days after the first decline, and at least a day after this attempt. */
function nextAttemptOf({ failedAttempts }: SubscriptionRow, failure: string) {
  const days = RENEWAL_RETRY_DAYS[failedAttempts];
  if (days === undefined) return ENDED;
  const pastDueSince = sql<string>`coalesce(past_due_since, now())`;
  return {
    ...{ status: 'past_due' as const, failedAttempts: failedAttempts + 1, failure, pastDueSince },
    ...NOT_CHARGING,
    nextAttempt: sql<string>`
      greatest(${pastDueSince} + make_interval(days => ${days}), now() + interval '1 day')`,
  };
}
