import { createHash, randomUUID } from 'node:crypto';
import { PLANS, type PlanTier } from '@nephos/contracts';
import { type Earlier, type RequestKey, replayed } from '@nephos/contracts/implement';
import { atomically } from '@nephos/db';
import type { UserContext } from '../../core/context.ts';
import { conflict, unavailableSince } from '../../core/errors.ts';
import { keyReused } from '../../platform/idempotency.ts';
import { IN_FORCE } from '../plans/standing.ts';
import type { BillingParts } from './billing.ts';
import { ensureCustomer, replaceCustomer } from './customers.ts';
import { assertBillingOn, type Requested, requestedBy } from './intents.ts';
import type { Intent, PaymentProvider } from './provider.ts';
import { renewalUnderWay } from './subscriptions.ts';

type Selling = Pick<BillingParts, 'settings' | 'provider'>;

interface Started {
  clientSecret: string;
  paymentIntentId: string;
}

/**
 * Asks the provider for a payment of the plan's own price, for the browser to confirm. With an `Idempotency-Key` it is
 * asked for once. Throws 403 BILLING_OFF, 409 ALREADY_SUBSCRIBED, and 503 while a renewal is being charged, which the
 * payment would have to wait for, or where the provider does not answer: then there is nothing.
 */
export async function startPayment(
  ctx: UserContext,
  parts: Selling,
  { planTier }: { planTier: PlanTier },
  given: RequestKey | undefined,
): Promise<Started | Earlier<Started>> {
  assertBillingOn(parts.settings);
  const key = given?.value;
  const earlier = key === undefined ? undefined : await requestedWith(ctx, key);
  if (earlier) return startedBefore(parts, earlier, planTier);
  await assertMayPay(ctx, planTier);
  const intent = await order(ctx, parts, { planTier, key });
  const kept = await keep(ctx, parts, { id: intent.id, planTier, key });
  if (kept || key === undefined) return startedOf(intent);
  const first = await requestedWith(ctx, key);
  if (!first) throw unavailableSince('the payment that was begun with this key is gone');
  return startedBefore(parts, first, planTier);
}

/** Asks for the payment. Who is no customer any more, for example deleted at the provider, becomes one anew. */
async function order(ctx: UserContext, { provider }: Selling, wanted: Wanted): Promise<Intent> {
  const customerId = await ensureCustomer(ctx, provider);
  const intent =
    (await orderAs(ctx, provider, { ...wanted, customerId })) ??
    (await orderAs(ctx, provider, {
      ...wanted,
      customerId: await replaceCustomer(ctx, provider, customerId),
    }));
  if (!intent) throw unavailableSince('the provider knows neither the customer nor a new one');
  return intent;
}

interface Wanted {
  planTier: PlanTier;
  key: string | undefined;
}

type Order = Wanted & { customerId: string };

function orderAs({ ownerId }: UserContext, provider: PaymentProvider, order: Order): Promise<Intent | null> {
  const { planTier, customerId } = order;
  return provider.createIntent({
    customerId,
    amount: PLANS[planTier].price,
    purpose: { userId: ownerId, planTier },
    key: providerKeyOf(ownerId, order),
  });
}

function startedOf({ id, clientSecret }: Intent): Started {
  return { clientSecret, paymentIntentId: id };
}

function requestedWith({ db, ownerId }: UserContext, key: string): Promise<Requested | undefined> {
  return requestedBy(db, ownerId).where('idempotencyKey', '=', key).executeTakeFirst();
}

/** The provider keeps the client secret; here it is written down nowhere. */
async function startedBefore(
  { provider }: Selling,
  { id, planTier }: Requested,
  wanted: PlanTier,
): Promise<Earlier<Started>> {
  if (planTier !== wanted) throw keyReused();
  const intent = await provider.readIntent(id);
  if (!intent) throw unavailableSince('the provider does not know the payment that was begun with this key');
  return replayed(startedOf(intent));
}

/** The provider's key for this call, never that of another person or plan: a provider keeps refusals as well. */
function providerKeyOf(ownerId: string, { planTier, key, customerId }: Order): string {
  const call = JSON.stringify([ownerId, planTier, key ?? randomUUID(), customerId]);
  return `subscribe-${createHash('sha256').update(call).digest('hex')}`;
}

/** Throws 409 ALREADY_SUBSCRIBED, and 503 while a renewal is being charged. */
export async function assertMayPay({ db, ownerId }: UserContext, planTier: PlanTier): Promise<void> {
  const live = await db
    .selectFrom('subscriptions')
    .select(['planTier', 'status', 'charging'])
    .where('userId', '=', ownerId)
    .where(IN_FORCE)
    .executeTakeFirst();
  if (live?.charging) throw renewalUnderWay();
  if (live?.status !== 'active' || live.planTier !== planTier) return;
  throw conflict('ALREADY_SUBSCRIBED', `You're already subscribed to the ${PLANS[planTier].name} plan.`);
}

/** False where a call with the same key was faster. */
function keep(
  { db, ownerId, audit }: UserContext,
  { provider }: Selling,
  { id, planTier, key }: Wanted & { id: string },
): Promise<boolean> {
  return atomically(db, async (trx) => {
    const { numInsertedOrUpdatedRows: inserted } = await trx
      .insertInto('paymentIntents')
      .values({
        ...{ id, userId: ownerId, provider: provider.info.name, planTier },
        amount: PLANS[planTier].price,
        idempotencyKey: key ?? null,
      })
      .onConflict((faster) => faster.doNothing())
      .executeTakeFirst();
    if (inserted !== 1n) return false;
    audit.note({ subject: { id } });
    await audit.write(trx);
    return true;
  });
}
