import type { Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import { forbidden, paymentRequired, unprocessable } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { Intent } from './provider.ts';

/** A payment for a plan, as we asked for it. */
export type Requested = Selectable<Database['paymentIntents']>;

/** Refuses to sell anything while billing is switched off: 403 BILLING_OFF. */
export function assertBillingOn({ billing }: Pick<Settings, 'billing'>): void {
  if (billing) return;
  throw forbidden(
    'BILLING_OFF',
    'Billing is off on this server. You can use everything without a plan, and nothing is charged.',
  );
}

/** Someone's payments that begin a subscription, which those of renewals do not. */
export function requestedBy(db: Kysely<Database>, userId: string) {
  return db.selectFrom('paymentIntents').where('userId', '=', userId).where('renews', 'is', null).selectAll();
}

/** 422: it was for something else. */
export function planMismatch() {
  return unprocessable('PLAN_MISMATCH', "This payment doesn't match this plan.");
}

/**
 * Asserts that the payment, as its provider has it, is the one that we asked for, and that all of it has arrived.
 * Throws 402 PAYMENT_NOT_COMPLETED, also for a part of the price, and 422 PLAN_MISMATCH.
 */
export function assertPays(intent: Intent, requested: Requested, livemode: boolean): void {
  if (intent.status !== 'succeeded') throw notCompleted();
  const isTheOne =
    intent.id === requested.id &&
    isFor(intent, requested, livemode) &&
    intent.metadata.planTier === requested.planTier;
  if (!isTheOne || intent.amountReceived > requested.amount) throw planMismatch();
  if (intent.amountReceived < requested.amount) throw notCompleted();
}

/** Asserts that the payment is the one of this renewal, whoever told of it. Throws 422 PLAN_MISMATCH. */
export function assertRenews(intent: Intent, charged: Due, livemode: boolean): void {
  if (!isFor(intent, charged, livemode) || intent.amountReceived !== charged.amount) throw planMismatch();
}

function notCompleted() {
  return paymentRequired('PAYMENT_NOT_COMPLETED', "The payment hasn't been completed.");
}

/** Who pays, and how many cents. */
type Due = Pick<Requested, 'userId' | 'amount'>;

/** Whether it is this person's payment, in US dollars, and real or test money as asked. */
function isFor(
  { currency, livemode: isLive, metadata }: Intent,
  { userId }: Due,
  livemode: boolean,
): boolean {
  return currency === 'usd' && isLive === livemode && metadata.userId === userId;
}
