import { MAX_PAGE, type Page, type Subscription } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound, type Refusal, unavailable } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { IN_FORCE, IS_RENEWING } from '../plans/standing.ts';
import { readCustomer } from './customers.ts';
import type { PaymentProvider } from './provider.ts';

export type SubscriptionRow = Selectable<Database['subscriptions']>;

/** A subscription's columns as the contract names them. */
export const SUBSCRIPTION_COLUMNS = [
  'id',
  'userId',
  'planTier',
  'status',
  'amount',
  'renewalDate',
  'cancelAtPeriodEnd',
  'failure',
  'nextAttempt',
  IS_RENEWING.as('renewing'),
  'createdAt',
] as const;

/** No charge is on its way. */
export const NOT_CHARGING = { charging: null, chargeAskedAt: null } as const;

/** What becomes of every subscription that ends. */
export const ENDED = {
  status: 'cancelled',
  cancelledAt: sql<string>`now()`,
  ...NOT_CHARGING,
  pastDueSince: null,
  nextAttempt: null,
  failure: '',
} as const;

function subscriptionsOf(db: Kysely<Database>, userId: string) {
  return db.selectFrom('subscriptions').where('userId', '=', userId).select(SUBSCRIPTION_COLUMNS);
}

/** The owner's subscriptions, newest first. */
export function listSubscriptions(
  { db, ownerId }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<Subscription[]> {
  const all = subscriptionsOf(db, ownerId).orderBy('id', 'desc').limit(limit);
  return (cursor === undefined ? all : all.where('id', '<', cursor)).execute();
}

export function readSubscription(db: Kysely<Database>, userId: string, id: string): Promise<Subscription> {
  return subscriptionsOf(db, userId).where('id', '=', id).executeTakeFirstOrThrow();
}

/** The subscription that is paid for, waits for its renewal or is past due; null without one. */
export async function activeSubscription({ db, ownerId }: UserContext): Promise<Subscription | null> {
  return (await subscriptionsOf(db, ownerId).where(IN_FORCE).executeTakeFirst()) ?? null;
}

/** Someone's subscription that has not ended. It locks the person, so whoever else changes it waits. */
export async function lockLive(trx: Kysely<Database>, userId: string): Promise<SubscriptionRow | undefined> {
  await lockAccount(trx, userId);
  return trx
    .selectFrom('subscriptions')
    .selectAll()
    .where('userId', '=', userId)
    .where('status', '<>', 'cancelled')
    .executeTakeFirst();
}

/** 503 for as long as a charge has no known outcome: what it pays for must not end meanwhile. */
export function renewalUnderWay(): Refusal {
  return unavailable('Your subscription is being renewed right now. Try again in a minute.');
}

function none(): Refusal {
  return notFound('NOT_FOUND', 'You do not have a subscription.');
}

/** Ends a cancelled subscription that has run out; one whose period is still paid for goes on. */
export async function endIfOver(
  trx: Kysely<Database>,
  { userId, id }: Pick<SubscriptionRow, 'userId' | 'id'>,
): Promise<void> {
  await trx
    .updateTable('subscriptions')
    .set(ENDED)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('status', '<>', 'cancelled')
    .where(sql<boolean>`not ${IN_FORCE}`)
    .execute();
}

/** Ends a subscription at once, held by `lockLive`, whatever of its period is paid for. */
export async function endSubscription(
  trx: Kysely<Database>,
  { userId, id }: Pick<SubscriptionRow, 'userId' | 'id'>,
): Promise<void> {
  await trx
    .updateTable('subscriptions')
    .set(ENDED)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute();
}

/** Ends the subscription with its period, or at once where it is past due or the period has passed. Throws 404. */
export function cancelSubscription({ db, ownerId }: UserContext): Promise<Subscription> {
  return atomically(db, async (trx) => {
    const live = await lockLive(trx, ownerId);
    if (!live) throw none();
    const atOnce = live.status === 'past_due';
    if (atOnce && live.charging !== null) throw renewalUnderWay();
    await trx
      .updateTable('subscriptions')
      .set(atOnce ? ENDED : { cancelAtPeriodEnd: true })
      .where('userId', '=', ownerId)
      .where('id', '=', live.id)
      .execute();
    await endIfOver(trx, live);
    return readSubscription(trx, ownerId, live.id);
  });
}

/** Throws 404, and 409 PERIOD_ENDED and NO_CARD. */
export function resumeSubscription(
  { db, ownerId }: UserContext,
  provider: PaymentProvider,
): Promise<Subscription> {
  return atomically(db, async (trx) => {
    const live = await lockLive(trx, ownerId);
    if (!live) throw none();
    if (live.cancelAtPeriodEnd) {
      await assertMayRenew(trx, live);
      const customer = await readCustomer(trx, ownerId, provider);
      if (!customer?.card) throw conflict('NO_CARD', 'There is no saved card to renew with.');
      await trx
        .updateTable('subscriptions')
        .set({ cancelAtPeriodEnd: false })
        .where('userId', '=', ownerId)
        .where('id', '=', live.id)
        .execute();
    }
    return readSubscription(trx, ownerId, live.id);
  });
}

async function assertMayRenew(trx: Kysely<Database>, { userId, id }: SubscriptionRow): Promise<void> {
  const running = await trx
    .selectFrom('subscriptions')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where(IN_FORCE)
    .executeTakeFirst();
  if (!running)
    throw conflict('PERIOD_ENDED', 'Your subscription has ended. Choose a plan to subscribe again.');
}
