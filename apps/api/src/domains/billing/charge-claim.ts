import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict, type Refusal } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { type Requested, requestedBy } from './intents.ts';
import type { Intent, PaymentProvider } from './provider.ts';
import { assertMayPay } from './start-payment.ts';

/** A payment that the saved card is being charged with: none of the same person's others is meanwhile. */
interface Claim {
  id: string;
  userId: string;
  payingSince: string;
}

/** Minutes for which a payment that is not decided keeps the others waiting. */
const LONGEST = 60;
/** Minutes after which no call that the claim was made for is on its way to the provider any more. */
const ANSWERED_AFTER = 2;

/**
 * Writes down that the saved card is about to be charged with this payment, so that of several that were begun in
 * several tabs one alone is charged, until it began its subscription or came to nothing. The same payment may be claimed
 * again at any time. A claim of a process that died is given up as soon as the provider can say what came of it. Throws
 * as `assertMayPay`, and 409 PAYMENT_IN_PROGRESS.
 */
export async function claimCharge(
  ctx: UserContext,
  provider: PaymentProvider,
  requested: Requested,
): Promise<Claim> {
  const first = await attempt(ctx, requested);
  if (first.claim) return first.claim;
  const { other, isAnswered } = first;
  if (!isAnswered || !isOver(await provider.readIntent(other.id))) throw inProgress();
  await releaseCharge(ctx.db, other);
  const second = await attempt(ctx, requested);
  if (!second.claim) throw inProgress();
  return second.claim;
}

/** Whether nothing is charged with a payment unless it is paid anew. */
export function isOver(intent: Intent | null): boolean {
  return intent === null || intent.status === 'requires_payment_method' || intent.status === 'canceled';
}

/** Gives up a claim, unless the payment was claimed again meanwhile. */
export async function releaseCharge(db: Kysely<Database>, { id, userId, payingSince }: Claim): Promise<void> {
  await db
    .updateTable('paymentIntents')
    .set({ payingSince: null })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('payingSince', '=', payingSince)
    .execute();
}

type Attempt = { claim: Claim } | { claim: undefined; other: Claim; isAnswered: boolean };

/** Judged under the account's lock, as subscribing is: a payment that is decided meanwhile is seen. */
function attempt(ctx: UserContext, { id, planTier, provider }: Requested): Promise<Attempt> {
  const { ownerId } = ctx;
  return atomically(ctx.db, async (db) => {
    await lockAccount(db, ownerId);
    await assertMayPay({ ...ctx, db }, planTier);
    const other = await requestedBy(db, ownerId)
      .where('id', '<>', id)
      .where('provider', '=', provider)
      .where('subscriptionId', 'is', null)
      .where('payingSince', '>', sql<string>`now() - make_interval(mins => ${LONGEST})`)
      .select([
        sql<string>`paying_since`.as('payingSince'),
        sql<boolean>`paying_since < now() - make_interval(mins => ${ANSWERED_AFTER})`.as('isAnswered'),
      ])
      .executeTakeFirst();
    if (other) return { claim: undefined, other, isAnswered: other.isAnswered };
    const claim = await db
      .updateTable('paymentIntents')
      .set({ payingSince: sql<string>`clock_timestamp()` })
      .where('userId', '=', ownerId)
      .where('id', '=', id)
      .returning(['id', 'userId', sql<string>`paying_since`.as('payingSince')])
      .executeTakeFirstOrThrow();
    ctx.audit.note({ subject: { id }, after: { planTier } });
    await ctx.audit.write(db);
    return { claim };
  });
}

function inProgress(): Refusal {
  return conflict(
    'PAYMENT_IN_PROGRESS',
    'Another payment with your saved card is in progress. Finish it first, or try again in an hour.',
  );
}
