import { RENEWAL_RETRY_DAYS } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { lockAccount } from '../auth/lock-account.ts';
import { readCustomer } from './customers.ts';
import { recordPayment } from './payments.ts';
import { type Card, type Charged, labelOf, type PaymentProvider } from './provider.ts';
import { ENDED, lockLive, type SubscriptionRow } from './subscriptions.ts';

export interface RenewalDeps {
  db: Kysely<Database>;
  provider: PaymentProvider;
}

/** A charge that is written down before it is made. */
interface Due {
  subscription: SubscriptionRow;
  key: string;
  /** A process may have made it already, and died before it wrote down what came of it. */
  again: boolean;
  customerId: string;
  card: Card | null;
}

/**
 * Of a subscription that has not ended: its charge is made before the period begins, so that nobody who pays is without
 * a plan between two runs of the job.
 */
export const IS_DUE = sql<boolean>`coalesce(next_attempt, renewal_date) <= now() + interval '1 hour'`;

const NO_CARD = 'There is no card to charge.';

/**
 * Charges what is due of one subscription, or ends it with its period where that was asked for. However often it is
 * called and wherever it is cut short, a period is charged once: the key of the charge is written down first, names the
 * subscription, the period's end and the attempt, and goes with what came of it. Rejects while the provider does not
 * answer: nothing is known then, and the next call asks for the same charge again.
 */
export async function renew({ db, provider }: RenewalDeps, id: string): Promise<void> {
  const due = await atomically(db, (trx) => writeDown(trx, provider, id));
  if (!due) return;
  const charged = await charge(provider, due);
  const conclusion = { key: due.key, charged, card: due.card };
  await atomically(db, (trx) => concludeRenewal(trx, provider, conclusion));
}

/** Undefined where there is nothing to charge. */
async function writeDown(
  trx: Kysely<Database>,
  provider: PaymentProvider,
  id: string,
): Promise<Due | undefined> {
  const subscription = await lockDue(trx, id);
  if (!subscription) return undefined;
  const { userId, cancelAtPeriodEnd, charging } = subscription;
  if (cancelAtPeriodEnd && charging === null) {
    await endWithPeriod(trx, subscription);
    return undefined;
  }
  const key = charging ?? keyOf(subscription);
  await trx.updateTable('subscriptions').set({ charging: key }).where('id', '=', id).execute();
  const { customerId, card } = (await readCustomer(trx, userId, provider)) ?? { customerId: '', card: null };
  return { subscription, key, again: charging !== null, customerId, card };
}

/** Which attempt at which period of which subscription it is. */
function keyOf({ id, renewalDate, failedAttempts }: SubscriptionRow): string {
  return `renewal-${id}-${renewalDate}-${failedAttempts + 1}`;
}

/** The person is locked before it is looked at, so that what is due here is due until the transaction ends. */
async function lockDue(trx: Kysely<Database>, id: string): Promise<SubscriptionRow | undefined> {
  const due = () =>
    trx
      .selectFrom('subscriptions')
      .selectAll()
      .where('id', '=', id)
      .where('status', '<>', 'cancelled')
      .where(IS_DUE);
  const found = await due().executeTakeFirst();
  if (!found) return undefined;
  await lockAccount(trx, found.userId);
  return due().executeTakeFirst();
}

/** What is paid for is not cut short, so this is not done ahead. */
async function endWithPeriod(trx: Kysely<Database>, { userId, id }: SubscriptionRow): Promise<void> {
  await trx
    .updateTable('subscriptions')
    .set(ENDED)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('renewalDate', '<=', sql<string>`now()`)
    .execute();
}

async function charge(provider: PaymentProvider, due: Due): Promise<Charged> {
  const { subscription, card, customerId, key, again } = due;
  if (!card) return { status: 'declined', intentId: null, failure: NO_CARD };
  const { userId, planTier, amount } = subscription;
  const purpose = { userId, planTier, chargeKey: key };
  return provider.charge({ customerId, cardId: card.id, amount, purpose, key, again });
}

/**
 * Writes down what came of the charge with this key, once: the renewal and the provider's events both come here. A
 * renewal goes to the same day of the next month on which the subscription began, or to its last day where there is
 * no such day (`next_renewal` in migration 0015): the 31st of January, the 28th of February, the 31st of March.
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
  await record(trx, provider, { subscription, charged, card });
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

async function prolong(trx: Kysely<Database>, { userId, id }: SubscriptionRow): Promise<void> {
  await trx
    .updateTable('subscriptions')
    .set({
      ...{ status: 'active', charging: null, failedAttempts: 0, failure: '' },
      ...{ pastDueSince: null, nextAttempt: null },
      renewalDate: sql<string>`next_renewal(renewal_date, anchor_day)`,
    })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute();
}

/** Counted from the first decline, and never two attempts on one day, however long nobody tried. */
async function postpone(trx: Kysely<Database>, subscription: SubscriptionRow, failure: string) {
  const { userId, id, failedAttempts } = subscription;
  const days = RENEWAL_RETRY_DAYS[failedAttempts];
  const pastDueSince = sql<string>`coalesce(past_due_since, now())`;
  await trx
    .updateTable('subscriptions')
    .set(
      days === undefined
        ? ENDED
        : {
            ...{ status: 'past_due', charging: null, failedAttempts: failedAttempts + 1, failure },
            pastDueSince,
            nextAttempt: sql<string>`
              greatest(${pastDueSince} + make_interval(days => ${days}), now() + interval '1 day')`,
          },
    )
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute();
}
