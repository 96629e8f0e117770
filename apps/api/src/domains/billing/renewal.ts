import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { lockAccount } from '../../platform/account-lock.ts';
import { concludeRenewal, prolong } from './conclude-renewal.ts';
import { readCustomer } from './customers.ts';
import type { Card, Charged, PaymentProvider } from './provider.ts';
import { endIfOver, NOT_CHARGING, type SubscriptionRow } from './subscriptions.ts';

export interface RenewalDeps {
  db: Kysely<Database>;
  provider: PaymentProvider;
  /** Whether billing is switched off: nothing is charged, and what is due goes on without a charge. */
  free?: boolean;
}

/** A charge that is written down before it is made. */
interface Due {
  subscription: SubscriptionRow;
  key: string;
  /** Whether a process may have made it already, and died before it wrote down what came of it. */
  maybeMade: boolean;
  /** Whether the charge is only looked for: it is not to be made any more, but may have been. */
  onlyLook: boolean;
  customerId: string;
  card: Card | null;
}

/**
 * Whether a subscription that has not ended is to be charged now. It is charged before the period begins, so that nobody
 * who pays is without a plan between two runs of the job.
 */
export const IS_DUE = sql<boolean>`coalesce(next_attempt, renewal_date) <= now() + interval '1 hour'`;

const NO_CARD = 'There is no saved card to charge.';
/** Minutes after which a charge that was asked for, and that the provider does not have, never arrives there. */
const ON_ITS_WAY = 10;

/**
 * Charges what is due of one subscription, or ends it with its period where that was asked for. However often it is
 * called and wherever it is cut short, a period is charged once: the key of the charge is written down first, names the
 * subscription, the period's end and the attempt, and goes with what came of it. Rejects while the provider does not
 * answer: nothing is known then, and the next call asks for the same charge again; for one that was cancelled meanwhile,
 * only whether it was made.
 */
export async function renew({ db, provider, free = false }: RenewalDeps, id: string): Promise<void> {
  const due = await atomically(db, (trx) => writeDown(trx, { provider, free }, id));
  if (!due) return;
  const { key, card } = due;
  const charged = await charge(provider, due);
  await atomically(db, (trx) =>
    charged ? concludeRenewal(trx, provider, { key, charged, card }) : giveUp(trx, due),
  );
}

/** Undefined where there is nothing to charge. */
async function writeDown(
  trx: Kysely<Database>,
  { provider, free }: { provider: PaymentProvider; free: boolean },
  id: string,
): Promise<Due | undefined> {
  const subscription = await lockDue(trx, id);
  if (!subscription) return undefined;
  const { userId, cancelAtPeriodEnd, charging } = subscription;
  if (cancelAtPeriodEnd && charging === null) {
    await endIfOver(trx, subscription);
    return undefined;
  }
  if (free && charging === null) {
    await prolong(trx, subscription);
    return undefined;
  }
  const key = charging ?? keyOf(subscription);
  const onlyLook = cancelAtPeriodEnd || free;
  if (!onlyLook) {
    const asked = { charging: key, chargeAskedAt: sql<string>`now()` };
    await trx.updateTable('subscriptions').set(asked).where('id', '=', id).execute();
  }
  const { customerId, card } = (await readCustomer(trx, userId, provider)) ?? { customerId: '', card: null };
  return { subscription, key, maybeMade: charging !== null, onlyLook, customerId, card };
}

/** Which attempt at which period of which subscription it is. */
function keyOf({ id, renewalDate, failedAttempts }: SubscriptionRow): string {
  return `renewal-${id}-${renewalDate}-${failedAttempts + 1}`;
}

/** Reads a subscription under its owner's lock, so that what is due stays due until the transaction ends. */
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

/** Null where the charge was called off before it was made. */
async function charge(provider: PaymentProvider, due: Due): Promise<Charged | null> {
  const { subscription, card, customerId, key, maybeMade, onlyLook } = due;
  const { userId, planTier, amount } = subscription;
  if (onlyLook) return customerId === '' ? null : provider.findCharge({ customerId, key });
  if (!card) return { status: 'declined', intentId: null, failure: NO_CARD };
  const purpose = { userId, planTier, chargeKey: key };
  return provider.charge({ customerId, cardId: card.id, amount, purpose, key, maybeMade });
}

/**
 * Forgets a charge that was called off, once it cannot arrive any more, and ends what was cancelled; until then a later
 * call looks for it again.
 */
async function giveUp(trx: Kysely<Database>, { subscription, key }: Due): Promise<void> {
  const { userId, id } = subscription;
  await lockAccount(trx, userId);
  await trx
    .updateTable('subscriptions')
    .set(NOT_CHARGING)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('charging', '=', key)
    .where('cancelAtPeriodEnd', '=', subscription.cancelAtPeriodEnd)
    .where('chargeAskedAt', '<', sql<string>`now() - make_interval(mins => ${ON_ITS_WAY})`)
    .execute();
  await endIfOver(trx, subscription);
}
