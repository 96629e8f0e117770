import { createHash, randomUUID } from 'node:crypto';
import { PLANS, type PlanTier } from '@nephos/contracts';
import type { UserContext } from '../../context.ts';
import { conflict, unavailableSince } from '../../errors.ts';
import { keyReused, markReplayed } from '../../http/idempotency.ts';
import { ensureCustomer, replaceCustomer } from './customers.ts';
import { type Requested, requestedBy } from './intents.ts';
import type { Intent } from './provider.ts';
import { IN_FORCE } from './standing.ts';
import { assertBillingOn } from './status.ts';
import { renewalUnderWay } from './subscriptions.ts';

interface Started {
  clientSecret: string;
  paymentIntentId: string;
}

/**
 * Asks the provider for a payment of the plan's own price, for the browser to confirm. With an `Idempotency-Key` it is
 * asked for once. Throws 403 BILLING_OFF, 409 ALREADY_SUBSCRIBED, and 503 while a renewal is being charged, which the payment would have
 * to wait for, or the provider does not answer: then there is nothing.
 */
export async function startPayment(ctx: UserContext, { planTier }: { planTier: PlanTier }): Promise<Started> {
  assertBillingOn(ctx);
  const key = ctx.idempotencyKey ?? null;
  const earlier = key === null ? undefined : await requestedWith(ctx, key);
  if (earlier) return again(ctx, earlier, planTier);
  await assertMayPay(ctx, planTier);
  const intent = await order(ctx, planTier);
  const kept = await keep(ctx, intent, planTier);
  if (kept || key === null) return startedOf(intent);
  const first = await requestedWith(ctx, key);
  if (!first) throw unavailableSince('the payment that was begun with this key is gone');
  return again(ctx, first, planTier);
}

/** Someone whom the provider knows no more, as who was deleted in its dashboard, becomes its customer anew. */
async function order(ctx: UserContext, planTier: PlanTier): Promise<Intent> {
  const customerId = await ensureCustomer(ctx);
  const intent =
    (await orderAs(ctx, planTier, customerId)) ??
    (await orderAs(ctx, planTier, await replaceCustomer(ctx, customerId)));
  if (!intent) throw unavailableSince('the provider knows neither the customer nor a new one');
  return intent;
}

function orderAs(ctx: UserContext, planTier: PlanTier, customerId: string): Promise<Intent | null> {
  return ctx.billing.provider.createIntent({
    customerId,
    amount: PLANS[planTier].price,
    purpose: { userId: ctx.user.id, planTier },
    key: providerKeyOf(ctx, planTier, customerId),
  });
}

function startedOf({ id, clientSecret }: Intent): Started {
  return { clientSecret, paymentIntentId: id };
}

function requestedWith({ db, user }: UserContext, key: string): Promise<Requested | undefined> {
  return requestedBy(db, user.id).where('idempotencyKey', '=', key).executeTakeFirst();
}

/** The provider keeps the client secret; here it is written down nowhere. */
async function again(ctx: UserContext, { id, planTier }: Requested, wanted: PlanTier): Promise<Started> {
  if (planTier !== wanted) throw keyReused();
  const intent = await ctx.billing.provider.readIntent(id);
  if (!intent) throw unavailableSince('the provider does not know the payment that was begun with this key');
  markReplayed(ctx);
  return startedOf(intent);
}

/** The same for the same call, and never that of another person's or plan's: a provider keeps refusals as well. */
function providerKeyOf(
  { user, idempotencyKey }: UserContext,
  planTier: PlanTier,
  customerId: string,
): string {
  const call = JSON.stringify([user.id, planTier, idempotencyKey ?? randomUUID(), customerId]);
  return `subscribe-${createHash('sha256').update(call).digest('hex')}`;
}

async function assertMayPay({ db, user }: UserContext, planTier: PlanTier): Promise<void> {
  const live = await db
    .selectFrom('subscriptions')
    .select(['planTier', 'status', 'charging'])
    .where('userId', '=', user.id)
    .where(IN_FORCE)
    .executeTakeFirst();
  if (live?.charging) throw renewalUnderWay();
  if (live?.status !== 'active' || live.planTier !== planTier) return;
  throw conflict('ALREADY_SUBSCRIBED', `You are subscribed to the ${PLANS[planTier].name} plan already.`);
}

/** False where a call with the same key was faster. */
async function keep({ db, user, idempotencyKey, billing }: UserContext, { id }: Intent, planTier: PlanTier) {
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('paymentIntents')
    .values({
      ...{ id, userId: user.id, provider: billing.provider.info.name, planTier },
      amount: PLANS[planTier].price,
      idempotencyKey: idempotencyKey ?? null,
    })
    .onConflict((faster) => faster.doNothing())
    .executeTakeFirst();
  return inserted === 1n;
}
